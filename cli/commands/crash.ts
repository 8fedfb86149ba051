// `reprise crash --at POINT`: pulls the plug on an embedded twin at a named point of a run, starts it again, and shows that
// the action was done once. Owns: that demonstration. The destination is the demo's CRM, judged by its own list.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crashPoints } from '../../functions/core/base/crash-points.ts';
import { startDemo } from '../../local/demo/server.ts';
import {
  type Command,
  type ExitCode,
  exitCodes,
  type Given,
  type Place,
  UsageError,
} from '../kit/command.ts';
import { nearest } from '../kit/near.ts';
import { demoSubjects } from '../trials/demo-subjects.ts';
import {
  before,
  countSentence,
  exhibitOf,
  objectsNow,
  proxySentence,
  stateSentence,
} from '../trials/part.ts';
import { openSession, type Session } from '../trials/session.ts';
import { until } from '../trials/wait.ts';
import { atRest } from '../trials/watch.ts';

const patienceMs = 60_000;

/** Points that a run of the demo's agent passes; those of a routine's firing it does not. */
const points: readonly string[] = crashPoints.filter((point) => !point.startsWith('fire.'));

const pointFrom = (given: Given, place: Place): string => {
  const wanted = given.text('at');
  const [name = '', pass = '1'] = (wanted ?? '').split(':');
  if (points.includes(name) && /^[1-9]\d*$/.test(pass)) return `${name}:${pass}`;
  const meant = nearest(name, points);
  throw new UsageError(
    place.say(
      `--at "${wanted ?? ''}" is no crash point.${meant === undefined ? '' : ` Did you mean ${meant}?`} There are: ${points.join(', ')}.`,
      `--at « ${wanted ?? ''} » n’est pas un point de coupure.${meant === undefined ? '' : ` Vouliez-vous dire ${meant} ?`} Il y a : ${points.join(', ')}.`,
    ),
  );
};

/** Begins the run over and over with one key until the process dies; the answer to the message may die with it. */
const runUntilDead = async (session: Session, key: string): Promise<string> => {
  const ended = session.twin.ended();
  await session.begin('control', key).catch(() => undefined);
  let signal: string | undefined;
  void ended.then((how) => {
    signal = how;
  });
  return until('the process died at the point', session.limitMs, async () => signal);
};

const pullThePlug = async (session: Session, at: string, place: Place): Promise<ExitCode> => {
  const trying = { session, say: place.say, sent: new Set<string>() };
  const began = await before(trying, 'control');
  // A verdict is only needed when the reply is lost as well.
  if (at.startsWith('verify.')) session.door.next({ do: 'cut_after' });
  await session.twin.kill();
  await session.twin.start(at);
  const key = crypto.randomUUID();
  place.tell(place.say(`Running towards ${at} …`, `En route vers ${at} …`));
  const signal = await runUntilDead(session, key);
  place.tell(
    place.say(
      `The process died: ${signal}. Starting it again …`,
      `Le processus est mort : ${signal}. On relance …`,
    ),
  );
  await session.twin.start();
  const { runId } = await session.begin('control', key);
  const seen = await atRest(session, runId);
  const objects = await objectsNow(trying, seen.action, began);
  const { forwarded } = session.door.counts(began.mark);
  const passed = objects.count === 1 && forwarded === 1 && seen.action.effect === 'confirmed';
  const result = {
    at,
    expected: place.say(
      'The run goes on by itself; the action is confirmed; the destination was given it once and has one object.',
      'Le run reprend de lui-même ; l’action est confirmée ; le destinataire l’a reçue une fois et a un objet.',
    ),
    observed: [
      stateSentence(trying, seen),
      proxySentence(trying, began),
      countSentence(trying, objects),
    ],
    verdict: passed ? 'pass' : 'fail',
    exhibit: exhibitOf(trying, seen, objects, began),
  };
  if (place.json) place.out(JSON.stringify(result));
  else {
    const { exhibit } = result;
    place.out(`${place.say('Expected', 'Attendu')}: ${result.expected}`);
    for (const line of result.observed) place.out(`${place.say('Observed', 'Observé')}: ${line}`);
    place.out(`${place.say('Exhibit', 'Pièce')}: ${exhibit.actionId}`);
    for (const line of exhibit.journal) place.out(`  ${line}`);
    for (const object of exhibit.objects.found) place.out(`  ${JSON.stringify(object)}`);
  }
  return passed ? exitCodes.ok : exitCodes.failed;
};

export const crashCommand: Command = {
  name: 'crash',
  en: 'Pulls the plug at a named point, starts again, and shows what became of it',
  fr: 'Coupe le courant à un point nommé, relance, et montre ce qu’il en est advenu',
  options: {
    at: {
      type: 'string',
      value: 'POINT[:PASS]',
      en: `One of: ${points.join(', ')}`,
      fr: `L’un de : ${points.join(', ')}`,
    },
  },
  run: async (given, place) => {
    const at = pointFrom(given, place);
    const dataDir = await mkdtemp(join(tmpdir(), 'reprise-crash-demo-'));
    const secret = randomBytes(24).toString('base64url');
    const demo = await startDemo({ dataDir, port: 0, secret });
    try {
      const [subject] = demoSubjects(demo.url, secret, ['crm_create_opportunity']);
      if (subject === undefined) throw new Error('The demo has no such tool.');
      const unique = randomBytes(4).toString('hex');
      const session = await openSession(subject, { patienceMs, unique });
      try {
        return await pullThePlug(session, at, place);
      } finally {
        await session.close();
      }
    } finally {
      await demo.close();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};
