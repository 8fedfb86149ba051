// AG-UI 1.0: one POST says the newest message or answers interrupts, and its stream tells what comes of it.
// Owns: which of the two a request is, and where its stream begins. Laws: L11, L12 (the answer first), L13.

import type { AgentId } from '../../core/base/ids.ts';
import type { Conversation } from '../../core/records/conversation.ts';
import type { ClientsWorld } from '../../wiring/clients.ts';
import type { Caller } from '../identity/identity.ts';
import { problem } from '../problems/problems.ts';
import { type AgUi, agUiAfter, agUiOpening, type Shown } from '../projections/ag-ui.ts';
import {
  allShown,
  callIdsOf,
  haveOf,
  newestSaid,
  type RunInput,
  type Spoken,
} from '../projections/ag-ui-input.ts';
import { type Have, hasNothing } from '../projections/have.ts';
import { misfit } from '../projections/said.ts';
import { answerInterrupts } from './answers.ts';
import type { Speaker, Telling } from './tell.ts';
import {
  type Beginning,
  beginningOfMessage,
  beginningOfRun,
  beginThread,
  checkSayable,
  conversationOfThread,
  messageSaid,
  same,
  say,
  type Thread,
} from './threads.ts';

/** Remembers what the client shows while it is told. */
const speaking = (start: AgUi, rewound: boolean): Speaker => {
  let state = start;
  return {
    headers: {},
    opening: agUiOpening(start, rewound),
    tell: (beat) => {
      const after = agUiAfter(state, beat);
      state = after.state;
      return after.events;
    },
    closing: '',
  };
};

interface Begun {
  readonly conversation: Conversation;
  readonly beginning: Beginning;
  readonly have: Have;
  readonly shown: AgUi['shown'];
  /** The client has part of it and drops that: a connection was lost in the middle. */
  readonly rewound: boolean;
}

/** The list without what a run has said in it. */
const without = (runId: string | undefined, shown: readonly Shown[]): readonly Shown[] => {
  const said = shown.filter(({ id }) => runId !== undefined && id.startsWith(`${runId}-`));
  const calls = said.flatMap((message) => callIdsOf(message));
  return shown.filter(
    (message) => !said.includes(message) && !calls.includes(String(message.toolCallId)),
  );
};

const resuming = async (
  { api }: ClientsWorld,
  caller: Caller,
  thread: Thread,
  input: RunInput,
): Promise<Begun> => {
  const conversation = await conversationOfThread(api, caller, thread);
  if (conversation === undefined) throw problem('not-found', {});
  const { runId, repeats } = await answerInterrupts(api, caller, conversation, input.resume ?? []);
  return {
    conversation,
    beginning: await beginningOfRun(api, conversation, runId),
    have: repeats ? hasNothing : haveOf(input),
    shown: repeats ? without(runId, allShown(input)) : allShown(input),
    rewound: repeats,
  };
};

const speakingTo = async (
  { api }: ClientsWorld,
  caller: Caller,
  thread: Thread,
  spoken: Spoken | undefined,
  input: RunInput,
): Promise<Begun> => {
  if (spoken === undefined) throw misfit('messages', 'nothing_new');
  const { clientId, text, isLast, before } = spoken;
  const known = await conversationOfThread(api, caller, thread);
  const earlier = known && (await messageSaid(api.store, caller, known.conversationId, clientId));
  if (earlier === undefined && (!isLast || text.trim() === ''))
    throw misfit('messages', 'nothing_new');
  if (earlier === undefined) checkSayable(text);
  const conversation = known ?? (await beginThread(api, caller, thread));
  const { conversationId } = conversation;
  const message = earlier
    ? same(earlier, text)
    : await say(api, caller, conversation, { clientId, text });
  return {
    conversation,
    beginning: await beginningOfMessage(api, conversationId, message, undefined),
    have: hasNothing,
    shown: before,
    rewound: before.length < input.messages.length,
  };
};

/** Reads and records what the client posts. Throws the problem that stands against it; then nothing streams. */
export const runAgUi = async (
  world: ClientsWorld,
  caller: Caller,
  agentId: AgentId,
  input: RunInput,
): Promise<Telling> => {
  const thread: Thread = { agentId, name: input.threadId };
  const spoken = newestSaid(input);
  const begun =
    input.resume !== undefined && input.resume.length > 0
      ? await resuming(world, caller, thread, input)
      : await speakingTo(world, caller, thread, spoken, input);
  const { conversation, beginning, have, shown, rewound } = begun;
  const { conversationId } = conversation;
  const { threadId, runId } = input;
  const messageId = beginning.strand.messageId;
  const reprise = { conversationId, ...(messageId === undefined ? {} : { messageId }) };
  const speaker = speaking({ threadId, runId, reprise, shown }, rewound);
  return { conversationId, beginning, have, speaker };
};
