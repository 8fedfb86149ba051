// What somebody without a token sees.
import { type FormEvent, type ReactNode, useState } from 'react';
import { signIn, tokenIn } from './session.ts';
import { useWords } from './words/index.tsx';

export const SignIn = (): ReactNode => {
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
    <main className="sign-in" id="main">
      <h1>Reprise</h1>
      <h2>{words.signIn.title}</h2>
      <p>{words.signIn.hint}</p>
      <form className="stack" onSubmit={submit}>
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
        <button type="submit" className="main">
          {words.signIn.button}
        </button>
      </form>
    </main>
  );
};
