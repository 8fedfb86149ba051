// One connection for one request: dialled to a checked address, never pooled, never retried, never reused.
// Owns: the moment before the first byte. Laws: L1 (what failed before it is told from what failed after), L3 (the last
// check runs there, synchronously, and the request is written only if it passes).
import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { Client, type Dispatcher } from 'undici';
import { type CheckedAddress, type Egress, EgressRefused } from './egress.ts';

/** The connection was never made, or the last check failed: not one byte of the request left. */
export class NotSent extends Error {
  override readonly name = 'NotSent';
}

export interface ConnectionOptions {
  readonly url: URL;
  readonly egress: Egress;
  readonly signal: AbortSignal;
  /** Further certificate authorities to trust, as PEM. */
  readonly certificateAuthorities?: readonly string[];
  /** Runs when the connection stands, immediately before the first byte. When it throws, nothing is sent. */
  readonly lastCheck: () => void;
}

export interface OneConnection {
  /** Takes one request; a second is refused. */
  readonly dispatcher: Dispatcher;
  /** Whether the first byte may have left. */
  sent(): boolean;
  close(): void;
}

const codeOf = (error: unknown): string => {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string')
    return error.code;
  return error instanceof Error ? error.name : 'unknown error';
};

/** An error's code or kind, never its message: that could quote what was sent. */
export const nameOfError = (error: unknown): string => {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return codeOf(inner);
};

const dialOne = (to: CheckedAddress, options: ConnectionOptions): Promise<Socket> => {
  const { url, signal, certificateAuthorities } = options;
  const secure = url.protocol === 'https:';
  const port = Number(url.port || (secure ? 443 : 80));
  const name = url.hostname.replace(/^\[|\]$/g, '');
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const socket = secure
    ? connectTls({
        host: to.address,
        port,
        ...(isIP(name) === 0 ? { servername: name } : {}),
        ...(certificateAuthorities === undefined ? {} : { ca: [...certificateAuthorities] }),
        ALPNProtocols: ['http/1.1'],
      })
    : connectPlain({ host: to.address, port, family: to.family });
  const abort = (): void => void socket.destroy(new Error('aborted'));
  signal.addEventListener('abort', abort, { once: true });
  socket.once('error', reject);
  socket.once('close', () => reject(new Error('closed')));
  socket.once(secure ? 'secureConnect' : 'connect', () => {
    signal.removeEventListener('abort', abort);
    socket.off('error', reject);
    socket.setNoDelay(true);
    resolve(socket);
  });
  if (signal.aborted) abort();
  return promise.finally(() => signal.removeEventListener('abort', abort));
};

const dial = async (options: ConnectionOptions): Promise<Socket> => {
  const addresses = await options.egress.addressesOf(options.url);
  const failures: string[] = [];
  for (const to of addresses) {
    if (options.signal.aborted) break;
    try {
      return await dialOne(to, options);
    } catch (error) {
      failures.push(codeOf(error));
    }
  }
  const why = options.signal.aborted ? 'the time was up' : failures.join(', ');
  throw new NotSent(`No connection to ${options.url.host} (${why}).`);
};

/** Opens nothing yet: the connection is made when the dispatcher gets its request. */
export const oneConnection = (options: ConnectionOptions): OneConnection => {
  let dialled = false;
  let sent = false;
  const client = new Client(options.url.origin, {
    pipelining: 0,
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
    connect: (_target, done) => {
      if (dialled) {
        done(new NotSent('The connection was used up.'), null);
        return;
      }
      dialled = true;
      dial(options).then(
        (socket) => done(null, socket),
        (error: unknown) => {
          const known = error instanceof NotSent || error instanceof EgressRefused;
          done(known ? error : new NotSent(`No connection (${codeOf(error)}).`), null);
        },
      );
    },
  });
  const guard: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (request, handler) =>
    dispatch(request, {
      onRequestStart: (controller, context) => {
        handler.onRequestStart?.(controller, context);
        if (controller.aborted) return;
        try {
          if (sent) throw new NotSent('A connection carries one request only.');
          options.lastCheck();
          sent = true;
        } catch (error) {
          controller.abort(error instanceof Error ? error : new NotSent('The last check failed.'));
        }
      },
      onRequestUpgrade: (...given) => handler.onRequestUpgrade?.(...given),
      onResponseStart: (...given) => handler.onResponseStart?.(...given),
      onResponseData: (...given) => handler.onResponseData?.(...given),
      onResponseEnd: (...given) => handler.onResponseEnd?.(...given),
      onResponseError: (...given) => handler.onResponseError?.(...given),
    });
  return {
    dispatcher: client.compose(guard),
    sent: () => sent,
    close: () => {
      client.destroy().catch(() => undefined);
    },
  };
};
