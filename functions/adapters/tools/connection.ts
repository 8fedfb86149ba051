// One connection for one request: dialled to a checked address, never pooled, never retried, never reused.
// Owns: the moment before the first byte. Laws: L1 (what failed before it is told from what failed after), L3 (the last
// check runs there, synchronously, and the request is written only if it passes).
// Tested in test/functions/adapters/egress.test.ts.
import { connect as connectPlain, isIP, type LookupFunction, type Socket } from 'node:net';
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

/** Before the next of several addresses is tried. */
const attemptTimeoutMs = 1_000;

const pinned =
  (addresses: readonly CheckedAddress[]): LookupFunction =>
  (_host, options, done) => {
    const first = addresses[0];
    if (options.all === true || first === undefined) done(null, [...addresses]);
    else done(null, first.address, first.family);
  };

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

/** Node tries the checked addresses one after another; it is given no other. */
const dial = async (options: ConnectionOptions): Promise<Socket> => {
  const { url, signal, certificateAuthorities } = options;
  const addresses = await options.egress.addressesOf(url);
  const secure = url.protocol === 'https:';
  const name = url.hostname.replace(/^\[|\]$/g, '');
  const to = {
    host: isIP(name) === 0 ? name : (addresses[0]?.address ?? name),
    port: Number(url.port || (secure ? 443 : 80)),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: attemptTimeoutMs,
    lookup: pinned(addresses),
  };
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const socket = secure
    ? connectTls({
        ...to,
        ...(isIP(name) === 0 ? { servername: name } : {}),
        ...(certificateAuthorities === undefined ? {} : { ca: [...certificateAuthorities] }),
        ALPNProtocols: ['http/1.1'],
      })
    : connectPlain(to);
  const abort = (): void => void socket.destroy(new Error('aborted'));
  const fail = (why: string): void => reject(new NotSent(`No connection to ${url.host} (${why}).`));
  // Stays attached: an error between here and the client's own listener must not end the process.
  socket.on('error', (error) => fail(signal.aborted ? 'the time was up' : codeOf(error)));
  socket.once('close', () => fail('closed'));
  socket.once(secure ? 'secureConnect' : 'connect', () => resolve(socket.setNoDelay(true)));
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  return promise.finally(() => signal.removeEventListener('abort', abort));
};

/** Given to every client that is done with: making one each time would cost more than the request. */
const usedUp = new NotSent('The connection was used up.');

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
        done(usedUp, null);
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
      client.destroy(usedUp).catch(() => undefined);
    },
  };
};
