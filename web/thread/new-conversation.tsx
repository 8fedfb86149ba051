// Begins a conversation: an agent and the first message. One intention, so that pressing twice begins one; what is corrected after
// a refusal is another one.
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { cache, keys } from '../api/cache.ts';
import { createConversation, postMessage } from '../api/calls.ts';
import { newKey } from '../api/client.ts';
import { useAgents } from '../api/queries.ts';
import type { AgentRevision } from '../api/types.ts';
import { Empty, Loaded, ProblemNote } from '../parts/notes.tsx';
import { useWords } from '../words/index.tsx';
import { charactersMost } from './composer.tsx';

const titleMost = 80;

interface Wanted {
  readonly agentId: string;
  readonly title: string;
  readonly text: string;
  /** The conversation's key, and the first message's. */
  readonly keys: readonly [conversation: string, message: string];
}

const titleOf = (text: string): string => {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.length > titleMost ? `${line.slice(0, titleMost - 1)}…` : line;
};

const begin = async ({ agentId, title, text, keys: [first, then] }: Wanted): Promise<string> => {
  const { conversationId } = await createConversation({ agentId, title }, first);
  await postMessage(conversationId, text, then);
  return conversationId;
};

/** A key for what is sent: the same while it is the same, another one for anything else. */
const useKeyOf = (): ((content: string) => string) => {
  const last = useRef<{ readonly content: string; readonly key: string }>(undefined);
  return (content) => {
    const { key } = last.current?.content === content ? last.current : { key: newKey() };
    last.current = { content, key };
    return key;
  };
};

const Form = ({ agents }: { readonly agents: readonly AgentRevision[] }): ReactNode => {
  const words = useWords();
  const [, go] = useLocation();
  const [parameters] = useSearchParams();
  const field = useRef<HTMLTextAreaElement>(null);
  const [agentId, setAgentId] = useState(parameters.get('agent') ?? agents[0]?.agentId ?? '');
  const [text, setText] = useState('');
  const beginning = useMutation({
    mutationFn: begin,
    onSuccess: (id) => {
      void cache.invalidateQueries({ queryKey: keys.conversations });
      go(`/c/${id}`);
    },
  });
  useEffect(() => field.current?.focus(), []);
  const [conversationKey, messageKey] = [useKeyOf(), useKeyOf()];
  const tooLong = text.length > charactersMost;
  const submit = (event?: FormEvent): void => {
    event?.preventDefault();
    if (text.trim() === '' || tooLong || beginning.isPending) return;
    const title = titleOf(text);
    const first = conversationKey(JSON.stringify([agentId, title]));
    beginning.mutate({ agentId, title, text, keys: [first, messageKey(`${first} ${text}`)] });
  };
  return (
    <form className="stack begin" onSubmit={submit}>
      <label>
        {words.conversations.agent}
        <select value={agentId} onChange={({ target }) => setAgentId(target.value)}>
          {agents.map(({ agentId: id, configuration }) => (
            <option key={id} value={id}>
              {configuration.name}
            </option>
          ))}
        </select>
      </label>
      <label>
        {words.conversations.firstMessage}
        <textarea
          ref={field}
          rows={4}
          value={text}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
          }}
        />
      </label>
      {beginning.error ? <ProblemNote cause={beginning.error} /> : null}
      <div className="row">
        <button
          type="submit"
          className="main"
          disabled={text.trim() === '' || tooLong || beginning.isPending}
        >
          {words.conversations.begin}
        </button>
        <span className="hint">
          {tooLong ? words.composer.tooLong(charactersMost) : words.composer.hint}
        </span>
      </div>
    </form>
  );
};

export const NewConversation = (): ReactNode => {
  const words = useWords();
  const asked = useAgents();
  return (
    <section className="thread-pane narrow" aria-labelledby="new-title">
      <h2 id="new-title">{words.conversations.new}</h2>
      <Loaded asked={asked}>
        {(agents) =>
          agents.length === 0 ? (
            <Empty title={words.conversations.noAgents} />
          ) : (
            <Form agents={agents} />
          )
        }
      </Loaded>
    </section>
  );
};
