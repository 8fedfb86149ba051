// A question: its form by its schema, with defaults; answered or declined, once. Laws: L13.
import { type FormEvent, type ReactNode, useState } from 'react';
import type { Form, Json, JsonObject, PersonRequest } from '../api/types.ts';
import { Markdown } from '../parts/markdown.tsx';
import { ProblemNote } from '../parts/notes.tsx';
import { Plain } from '../parts/plain-text.tsx';
import { Time } from '../parts/time.tsx';
import { useWords } from '../words/index.tsx';
import { useLater } from '../words/later.ts';
import { useAnswering } from './answering.ts';
import { FormField } from './form-field.tsx';
import { WordsForm } from './words-form.tsx';

export type QuestionRequest = Extract<PersonRequest, { on: 'question' }>;

const defaultsOf = (form: Form): JsonObject =>
  Object.fromEntries(
    Object.entries(form.properties).flatMap(([name, field]): [string, Json][] => {
      if (field.default !== undefined) return [[name, field.default]];
      return field.type === 'boolean' ? [[name, false]] : [];
    }),
  );

const Answer = ({
  request,
  busy,
  send,
  decline,
}: {
  readonly request: QuestionRequest;
  readonly busy: boolean;
  readonly send: (answer: JsonObject) => void;
  readonly decline: () => void;
}): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  const { form } = request;
  const [given, setGiven] = useState<JsonObject>(() => defaultsOf(form));
  const change = (name: string, value: Json | undefined): void => {
    const { [name]: _before, ...rest } = given;
    setGiven(value === undefined ? rest : { ...rest, [name]: value });
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    send(given);
  };
  return (
    <form className="stack" onSubmit={submit}>
      {form.description === undefined ? null : (
        <p className="hint">
          <Plain text={form.description} />
        </p>
      )}
      {Object.entries(form.properties).map(([name, field]) => (
        <FormField
          key={name}
          name={`${request.requestId}-${name}`}
          field={{ ...field, title: field.title ?? name }}
          needed={form.required?.includes(name) === true}
          value={given[name]}
          change={(value) => change(name, value)}
        />
      ))}
      <div className="row">
        <button type="submit" className="main" disabled={busy}>
          {words.question.send}
        </button>
        <button type="button" disabled={busy} onClick={decline}>
          {words.question.decline}
        </button>
      </div>
    </form>
  );
};

export const Question = ({ request }: { readonly request: QuestionRequest }): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  const [declining, setDeclining] = useState(false);
  const { give, busy, error } = useAnswering(request.requestId);
  return (
    <section className="request" aria-label={words.question.title} id={request.requestId}>
      <h4>{words.question.title}</h4>
      <Markdown text={request.message} />
      <p className="hint">
        {request.expiresAtMs === undefined ? null : (
          <>
            {words.question.expires} <Time at={request.expiresAtMs} />;{' '}
            {words.question.afterwards[request.onExpiry]}{' '}
          </>
        )}
        {words.question.noteOnMessage}
      </p>
      {error ? <ProblemNote cause={error} /> : null}
      {declining ? (
        <WordsForm
          label={words.question.declineReason}
          button={words.question.declineNow}
          needed={false}
          cancel={() => setDeclining(false)}
          send={(reason) => {
            setDeclining(false);
            give({ kind: 'decline', ...(reason === '' ? {} : { reason }) });
          }}
        />
      ) : (
        <Answer
          request={request}
          busy={busy}
          send={(answer) => give({ kind: 'answer', answer })}
          decline={() => setDeclining(true)}
        />
      )}
    </section>
  );
};
