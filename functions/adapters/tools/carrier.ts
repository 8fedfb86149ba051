// The tool port's adapter: carries a call by its transport. Owns: the choice, and that a call which cannot be formed is told as
// one that never left and never will as things are (L1: nothing was sent).
// The heavy clients (MCP, Lambda) are loaded when a tool first needs them.
// Tested in test/functions/adapters/http-exchange.test.ts.
import type { LambdaClient, LambdaClientConfig } from '@aws-sdk/client-lambda';
import { type ToolCarrier, ToolMisconfigured, type ToolReport } from '../../ports/tool.ts';
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

/** Thrown before the first byte only, whatever the transport. */
const notFormed = (error: unknown): ToolReport => {
  if (!(error instanceof ToolMisconfigured)) throw error;
  return { kind: 'not_transmitted', because: error.message, lasting: true };
};

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
          return sendHttp(carriage, transport, call).catch(notFormed);
        case 'mcp': {
          const { sendMcp } = await import('./mcp.ts');
          return sendMcp(carriage, transport, call).catch(notFormed);
        }
        case 'lambda': {
          const { LambdaClient } = await import('@aws-sdk/client-lambda');
          const { lambdaClientFrom, sendLambda } = await import('./lambda.ts');
          client ??= lambda instanceof LambdaClient ? lambda : lambdaClientFrom(lambda ?? {});
          return sendLambda(carriage, client, transport, call).catch(notFormed);
        }
      }
    },
  };
};
