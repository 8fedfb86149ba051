// SendTaskSuccess, SendTaskFailure, SendTaskHeartbeat. Owns: their errors, which tell a bad token from a spent one.
import { z } from 'zod';
import { Fault } from '../faults.ts';
import { payloadBytesMax } from '../json.ts';
import type { TokenAnswer } from '../run/frame.ts';
import type { Stimulus } from '../run/stimuli.ts';
import type { TokenPlace } from '../tokens.ts';
import type { ApiParts, Operations } from './parts.ts';
import { readBody } from './protocol.ts';

const taskToken = z.string().min(1).max(2048);

const placeOf = (parts: ApiParts, token: string): TokenPlace => {
  const place = parts.tokens.read(token);
  if (place === undefined) throw new Fault('InvalidToken', "Invalid Token: 'Invalid token'");
  if (parts.store.execution(place.execution) === undefined)
    throw new Fault('TaskDoesNotExist', "Task Does Not Exist: 'Provided task does not exist'");
  return place;
};

const send = async (
  parts: ApiParts,
  token: string,
  stimulus: (frame: number) => Stimulus,
): Promise<object> => {
  const { execution, frame } = placeOf(parts, token);
  const accepted = await parts.engine.submit(execution, stimulus(frame), true);
  if (accepted) return {};
  throw new Fault('TaskTimedOut', "Task Timed Out: 'Provided task does not exist anymore'");
};

const checkOutput = (output: string): void => {
  try {
    if (Buffer.byteLength(output) > payloadBytesMax) throw new Error('The output is too large.');
    JSON.parse(output);
  } catch (error) {
    const why = error instanceof Error ? error.message : '';
    throw new Fault('InvalidOutput', `Invalid Output: '${why}'`);
  }
};

const answer = (parts: ApiParts, token: string, given: TokenAnswer): Promise<object> =>
  send(parts, token, (frame) => ({ kind: 'answer', frame, token, answer: given }));

const failureSchema = z.object({
  taskToken,
  error: z.string().max(256).optional(),
  cause: z.string().max(32_768).optional(),
});

const success = (parts: ApiParts, body: unknown): Promise<object> => {
  const given = readBody(z.object({ taskToken, output: z.string() }), body);
  checkOutput(given.output);
  return answer(parts, given.taskToken, { kind: 'success', output: given.output });
};

const failure = (parts: ApiParts, body: unknown): Promise<object> => {
  const { taskToken: token, error, cause } = readBody(failureSchema, body);
  const given = { error: error ?? null, cause: cause ?? null };
  return answer(parts, token, { kind: 'failure', failure: given });
};

const heartbeat = (parts: ApiParts, body: unknown): Promise<object> => {
  const { taskToken: token } = readBody(z.object({ taskToken }), body);
  return send(parts, token, (frame) => ({ kind: 'beat', frame, token }));
};

export const answerOperations: Operations = {
  SendTaskSuccess: success,
  SendTaskFailure: failure,
  SendTaskHeartbeat: heartbeat,
};
