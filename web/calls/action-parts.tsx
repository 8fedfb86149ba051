// The parts of an action that are shown wherever it appears: what exactly it is, where it goes, what came back.
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { keys } from '../api/cache.ts';
import { getResult } from '../api/calls.ts';
import type { Action, ActionResult } from '../api/types.ts';
import { CopyMenu } from '../copying/copy.tsx';
import { CopyButton } from '../copying/copy-button.tsx';
import { JsonView, jsonIn } from '../parts/json-view.tsx';
import { ProblemNote } from '../parts/notes.tsx';
import { Block, Plain } from '../parts/plain-text.tsx';
import { useWords } from '../words/index.tsx';

export const Destination = ({ of }: { readonly of: Action['destination'] }): ReactNode => (
  <>
    <Plain text={of.provider} /> · <Plain text={of.account} /> · <Plain text={of.environment} />
  </>
);

const ActionCopy = ({ action }: { readonly action: Action }): ReactNode => (
  <CopyMenu id={action.actionId} thing={{ kind: 'action', of: action }} />
);

/** A question or a request for a skill: it goes to people here, not to a tool. */
export const isOurs = ({ destination }: Pick<Action, 'destination'>): boolean =>
  destination.provider === 'reprise';

/** Identity and destination, as a list of facts. */
export const ActionFacts = ({ action }: { readonly action: Action }): ReactNode => {
  const words = useWords();
  const { destination, tool, digest, reference } = action;
  return (
    <dl className="facts">
      <div>
        <dt>{words.call.destination}</dt>
        <dd>
          <Destination of={destination} /> · {words.call.apiVersion}{' '}
          <Plain text={destination.apiVersion} />
        </dd>
      </div>
      <div>
        <dt>{words.call.tool}</dt>
        <dd>
          {isOurs(action) ? (
            tool.name
          ) : (
            <Link href={`/tools/${tool.name}/${tool.version}`}>
              {tool.name}, {words.call.version(tool.version)}
            </Link>
          )}
        </dd>
      </div>
      {reference === undefined ? null : (
        <div>
          <dt>{words.call.reference}</dt>
          <dd>
            <Plain text={reference} /> <CopyButton label={words.copy.text} text={() => reference} />
          </dd>
        </div>
      )}
      <div>
        <dt>{words.call.id}</dt>
        <dd>
          <ActionCopy action={action} />
        </dd>
      </div>
      <div>
        <dt>{words.call.digest}</dt>
        <dd>
          <code className="digest">{digest}</code>{' '}
          <CopyButton label={words.copy.text} text={() => digest} />
        </dd>
      </div>
    </dl>
  );
};

export const TextOrJson = ({
  text,
  label,
}: {
  readonly text: string;
  readonly label: string;
}): ReactNode => {
  const json = jsonIn(text);
  return json === undefined ? (
    <Block text={text} label={label} />
  ) : (
    <JsonView value={json} label={label} />
  );
};

const readWhole = async (actionId: string): Promise<ActionResult> => {
  let whole = await getResult(actionId, 0);
  while (whole.next !== undefined) {
    const more = await getResult(actionId, whole.next);
    whole = { ...more, text: whole.text + more.text };
  }
  return whole;
};

const Whole = ({ actionId }: { readonly actionId: string }): ReactNode => {
  const words = useWords();
  const asked = useQuery({
    queryKey: keys.result(actionId),
    queryFn: () => readWhole(actionId),
  });
  if (asked.error) return <ProblemNote cause={asked.error} />;
  if (asked.data === undefined) return <p className="hint">{words.loading}</p>;
  return <TextOrJson text={asked.data.text} label={words.call.result} />;
};

/** What came back; of a large result the copy that the agent was given, and the whole on demand. */
export const ResultView = ({ action }: { readonly action: Action }): ReactNode => {
  const words = useWords();
  const [whole, setWhole] = useState(false);
  const { told, actionId } = action;
  if (told === undefined) return <p className="hint">{words.call.noResult}</p>;
  const label = told.status === 'error' ? words.call.error : words.call.result;
  return (
    <>
      {whole ? <Whole actionId={actionId} /> : <TextOrJson text={told.text} label={label} />}
      {told.blob === undefined || whole ? null : (
        <p className="hint">
          {words.call.cutCopy(words.bytes(told.blob.bytes))}{' '}
          <button type="button" className="quiet" onClick={() => setWhole(true)}>
            {words.call.wholeResult}
          </button>
        </p>
      )}
    </>
  );
};
