// The tool port's adapter: carries a call by its transport. Owns: nothing but the choice.
// The heavy clients (MCP, Lambda) are loaded when a tool first needs them.
import type { LambdaClient, LambdaClientConfig } from '@aws-sdk/client-lambda';
import type { ToolCarrier } from '../../ports/tool.ts';
import type { Carriage } from './carried.ts';
import { sendHttp } from './http.ts';

export interface CarrierOptions
  extends Pick<Carriage, 'secrets' | 'egress' | 'clock' | 'certificateAuthorities'>,
    Partial<Pick<Carriage, 'open' | 'abortAfter'>> {
  /**
   * For tools that are Lambda functions: region, endpoint and transport (the client is then made to try once and keep no
   * connection), or a client, which is used as it is.
   */
  readonly lambda?: LambdaClient | LambdaClientConfig;
}

/**
 * `open` false: nothing more goes out (the invocation has ended). `abortAfter` gives the deadline's signal (default: real
 * time). Every call has its own connection; nothing is tried twice.
 */
export const carrierFrom = (options: CarrierOptions): ToolCarrier => {
  const { lambda, ...given } = options;
  const carriage: Carriage = {
    open: () => true,
    abortAfter: (ms) => AbortSignal.timeout(ms),
    ...given,
  };
  let client: LambdaClient | undefined;
  return {
    send: async (call) => {
      const { transport } = call.registration;
      switch (transport.kind) {
        case 'http':
          return sendHttp(carriage, transport, call);
        case 'mcp': {
          const { sendMcp } = await import('./mcp.ts');
          return sendMcp(carriage, transport, call);
        }
        case 'lambda': {
          const { LambdaClient } = await import('@aws-sdk/client-lambda');
          const { lambdaClientFrom, sendLambda } = await import('./lambda.ts');
          client ??= lambda instanceof LambdaClient ? lambda : lambdaClientFrom(lambda ?? {});
          return sendLambda(carriage, client, transport, call);
        }
      }
    },
  };
};
