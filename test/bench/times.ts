// Times, side by side with the floor in the same process and the same minute: one run alone, fifty at once, and what an
// answer takes to move its run. SQLite at synchronous FULL. Owns: what is measured between which two moments.
import { z } from 'zod';
import { type Floor, openFloor } from './floor.ts';
import { openRig, type Rig } from './rig.ts';
import { median, roundedTo } from './statistics.ts';

export interface TimesOptions {
  readonly steps: number;
  readonly rounds: number;
  readonly concurrentRuns: number;
  readonly concurrentSteps: number;
  readonly answers: number;
}

const elapsed = async (work: () => Promise<void>): Promise<number> => {
  const from = performance.now();
  await work();
  return performance.now() - from;
};

/** From the message to the run's end, both included. */
const runOf = async (rig: Rig, conversationId: string, text: string): Promise<void> =>
  (await rig.say(conversationId, text)).ended;

let messages = 0;
/** No two runs may ask for look-alike actions: a person would have to allow the second one. */
const unlike = (steps: number): string => {
  messages += 1;
  return `Number ${messages}: loop ${steps}`;
};

const alone = async (rig: Rig, floor: Floor, { steps, rounds }: TimesOptions) => {
  const floors: number[] = [];
  const twins: number[] = [];
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const floorMs = (await elapsed(() => floor.run(unlike(steps), steps))) / steps;
    const conversationId = await rig.converse('loop');
    const twinMs = (await elapsed(() => runOf(rig, conversationId, unlike(steps)))) / steps;
    floors.push(floorMs);
    twins.push(twinMs);
    ratios.push(twinMs / floorMs);
  }
  return {
    floorMsPerStep: roundedTo(median(floors), 3),
    twinMsPerStep: roundedTo(median(twins), 3),
    ratio: roundedTo(median(ratios), 2),
  };
};

const together = async (rig: Rig, floor: Floor, options: TimesOptions) => {
  const { concurrentRuns, concurrentSteps, rounds } = options;
  const all = <One>(one: () => Promise<One>): Promise<One[]> =>
    Promise.all(Array.from({ length: concurrentRuns }, one));
  const message = () => unlike(concurrentSteps);
  const floors: number[] = [];
  const twins: number[] = [];
  const shares: number[] = [];
  const steps = concurrentRuns * concurrentSteps;
  for (let round = 0; round < rounds; round += 1) {
    const floorMs = await elapsed(async () => {
      await all(() => floor.run(message(), concurrentSteps));
    });
    const conversations = await all(() => rig.converse('loop'));
    const twinMs = await elapsed(async () => {
      await Promise.all(conversations.map((one) => runOf(rig, one, message())));
    });
    floors.push((steps / floorMs) * 1_000);
    twins.push((steps / twinMs) * 1_000);
    shares.push(floorMs / twinMs);
  }
  return {
    floorStepsPerSecond: roundedTo(median(floors), 1),
    stepsPerSecond: roundedTo(median(twins), 1),
    shareOfFloor: roundedTo(median(shares), 3),
  };
};

const openRequests = z.object({
  items: z.array(z.looseObject({ requestId: z.string(), actionId: z.string() })),
});
const shown = z.looseObject({ request: z.looseObject({ digest: z.string() }) });

/** What the functions' doors tell of the run that waits. */
interface Moments {
  waiting: PromiseWithResolvers<void>;
  performing: PromiseWithResolvers<number>;
  thinking: PromiseWithResolvers<number>;
  stored: PromiseWithResolvers<number>;
}
const freshMoments = (): Moments => ({
  waiting: Promise.withResolvers(),
  performing: Promise.withResolvers(),
  thinking: Promise.withResolvers(),
  stored: Promise.withResolvers(),
});

const resuming = async (answers: number) => {
  let moments = freshMoments();
  let answered = false;
  const rig = await openRig({
    invoked: (name) => {
      if (!answered) return;
      if (name === 'perform') moments.performing.resolve(performance.now());
      if (name === 'think') moments.thinking.resolve(performance.now());
    },
    returned: (name, _input, output) => {
      if (name === 'perform' && Reflect.get(Object(output), 'outcome') === 'approval')
        moments.waiting.resolve();
      if (name === 'think' && answered) moments.stored.resolve(performance.now());
    },
  });
  const parts = { recorded: [], wake: [], think: [], whole: [] } as Record<string, number[]>;
  try {
    const run = await rig.say(await rig.converse('refunds'), `refund ${answers} times`);
    for (let number = 0; number < answers; number += 1) {
      await moments.waiting.promise;
      const { items } = openRequests.parse(await rig.call('GET', '/v1/requests'));
      const requestId = items[0]?.requestId ?? '';
      const { request } = shown.parse(await rig.call('GET', `/v1/requests/${requestId}`));
      // The token is bound a moment after Perform has answered; a person takes longer than that.
      await new Promise((done) => setTimeout(done, 50));
      moments = freshMoments();
      answered = true;
      const from = performance.now();
      await rig.call('POST', `/v1/requests/${requestId}/answer`, {
        kind: 'approve',
        digest: request.digest,
      });
      const recorded = performance.now();
      const [performing, thinking, stored] = await Promise.all([
        moments.performing.promise,
        moments.thinking.promise,
        moments.stored.promise,
      ]);
      answered = false;
      parts.recorded?.push(recorded - from);
      parts.wake?.push(performing - from);
      parts.think?.push(thinking - from);
      parts.whole?.push(stored - from);
    }
    await run.ended;
  } finally {
    await rig.close();
  }
  const of = (name: string): number => roundedTo(median(parts[name] ?? []), 2);
  return {
    answerMs: of('recorded'),
    wakeMs: of('wake'),
    nextStepMs: of('think'),
    resumeMs: of('whole'),
  };
};

/** Rounds are interleaved and the median counts, so that a busy moment of the machine falls on both sides. */
export const measureTimes = async (options: TimesOptions) => {
  const rig = await openRig();
  const floor = await openFloor(rig.demoUrl, rig.secret);
  try {
    await floor.run(unlike(20), 20);
    await runOf(rig, await rig.converse('loop'), unlike(20));
    return {
      ...(await alone(rig, floor, options)),
      ...(await together(rig, floor, options)),
      ...(await resuming(options.answers)),
    };
  } finally {
    await floor.close();
    await rig.close();
  }
};
