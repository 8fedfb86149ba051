// How one service of the twin calls another: machines invoke functions, deliveries reach functions, machines and the topic.
// Owns: those hand-overs.
import type { Deliveries } from '../base/deliveries.ts';
import type { AwsCall } from '../base/endpoints.ts';
import { functionArn, functionNameOf, type Place } from '../base/names.ts';
import type { LambdaRuntime } from '../lambda/runtime.ts';
import type { LambdaAnswer, LambdaRequest } from '../stepfunctions/twin.ts';

interface Parts {
  readonly runtime: LambdaRuntime;
  readonly deliveries: Deliveries;
  readonly place: Place;
}

const executedVersion = '$LATEST';
const sixHoursMs = 6 * 3_600_000;

/** Lambda as Step Functions calls it. Rejects with AwsFault. */
export const invokeForMachines = async (
  { runtime, deliveries, place }: Parts,
  { functionName, payload, invocationType }: LambdaRequest,
): Promise<LambdaAnswer> => {
  const input = JSON.stringify(payload ?? {});
  if (invocationType === 'Event' && runtime.owns(functionName)) {
    const target = functionArn(place, functionNameOf(functionName, place).name);
    deliveries.add({ target, input, attemptsMax: 3, ageMsMax: sixHoursMs });
    deliveries.wake();
    return { statusCode: 202, executedVersion, payload: null, requestId: crypto.randomUUID() };
  }
  const answer = await runtime.invoke(functionName, input);
  const { statusCode, requestId, functionError } = answer;
  return {
    statusCode,
    executedVersion,
    requestId,
    payload: JSON.parse(answer.payload),
    ...(functionError === undefined ? {} : { functionError }),
  };
};

/** Hands a stored delivery to its target. Rejects when the target has not taken it. */
export const deliverTo =
  (parts: {
    readonly runtime: LambdaRuntime;
    readonly sfn: AwsCall;
    readonly place: Place;
    readonly notify: (message: string) => void;
  }) =>
  async (target: string, input: string): Promise<void> => {
    if (target.includes(':stateMachine:')) {
      await parts.sfn('StartExecution', { stateMachineArn: target, input });
      return;
    }
    if (target.includes(':sns:')) return parts.notify(input);
    const answer = await parts.runtime.invoke(target, input);
    if (answer.functionError !== undefined) throw new Error(answer.payload);
  };
