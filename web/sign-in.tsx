// What somebody who is not signed in sees: why, where it needs saying, and the two ways in.
import { type FormEvent, type ReactNode, useState } from 'react';
import { session, signIn, tokenIn } from './base/session.ts';
import { goSignIn } from './base/session-life.ts';
import { useStore } from './base/store.ts';
import { useWords } from './words/index.tsx';

const WithToken = (): ReactNode => {
  const words = useWords();
  const [pasted, setPasted] = useState('');
  const [wrong, setWrong] = useState(false);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const token = tokenIn(pasted);
    if (token === undefined) setWrong(true);
    else signIn(token);
  };
  return (
    <form className="stack" onSubmit={submit}>
      <h2>{words.signIn.withToken}</h2>
      <p className="hint">{words.signIn.hint}</p>
      <label>
        {words.signIn.label}
        <input
          type="password"
          autoComplete="off"
          value={pasted}
          aria-invalid={wrong}
          aria-describedby={wrong ? 'sign-in-wrong' : undefined}
          onChange={({ target }) => {
            setPasted(target.value);
            setWrong(false);
          }}
        />
      </label>
      {wrong ? (
        <p id="sign-in-wrong" role="alert" className="problem">
          {words.signIn.wrong}
        </p>
      ) : null}
      <div>
        <button type="submit">{words.signIn.use}</button>
      </div>
    </form>
  );
};

export const SignIn = (): ReactNode => {
  const words = useWords();
  const { why } = useStore(session);
  return (
    <main className="sign-in stack" id="main">
      <h1>Reprise</h1>
      <section className="stack">
        <h2>{words.signIn.title}</h2>
        {why === undefined ? null : <p role="alert">{words.signIn.why[why]}</p>}
        <div>
          <button type="button" className="main" onClick={() => goSignIn()}>
            {words.signIn.button}
          </button>
        </div>
      </section>
      <WithToken />
    </main>
  );
};
