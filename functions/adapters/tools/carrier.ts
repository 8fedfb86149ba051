// The tool port's adapter: carries a call by its transport. Owns: nothing but the choice.
import { type ToolCarrier, ToolMisconfigured } from '../../ports/tool.ts';
import type { Carriage } from './carried.ts';
import { sendHttp } from './http.ts';

export interface CarrierOptions
  extends Pick<Carriage, 'secrets' | 'egress' | 'clock' | 'certificateAuthorities'>,
    Partial<Pick<Carriage, 'open' | 'abortAfter'>> {}

export const carrierFrom = (options: CarrierOptions): ToolCarrier => {
  const carriage: Carriage = {
    open: () => true,
    abortAfter: (ms) => AbortSignal.timeout(ms),
    ...options,
  };
  return {
    send: async (call) => {
      const { transport } = call.registration;
      switch (transport.kind) {
        case 'http':
          return sendHttp(carriage, transport, call);
        case 'mcp':
        case 'lambda':
          throw new ToolMisconfigured(`Tools of kind "${transport.kind}" cannot be called yet.`);
      }
    },
  };
};
