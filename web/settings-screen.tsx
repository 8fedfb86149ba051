// Settings of this browser, and who is signed in.
import { type ReactNode, useState } from 'react';
import { claimsOf, session } from './base/session.ts';
import { goSignIn, signOut } from './base/session-life.ts';
import { change, languages, settings, themes, timeStyles } from './base/settings.ts';
import { useStore } from './base/store.ts';
import { Time } from './parts/time.tsx';
import { useWords } from './words/index.tsx';
import { useLater } from './words/later.ts';
import { roleName } from './words/role-name.ts';

interface Choice<Value extends string> {
  readonly legend: string;
  readonly name: string;
  readonly values: readonly Value[];
  readonly value: Value;
  readonly word: (value: Value) => string;
  readonly set: (value: Value) => void;
}

const Choose = <Value extends string>(of: Choice<Value>): ReactNode => (
  <fieldset className="choices">
    <legend>{of.legend}</legend>
    {of.values.map((value) => (
      <label key={value}>
        <input
          type="radio"
          name={of.name}
          checked={value === of.value}
          onChange={() => of.set(value)}
        />
        {of.word(value)}
      </label>
    ))}
  </fieldset>
);

const languageNames = { en: 'English', fr: 'Français' } as const;

const Account = (): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  const { token, kind } = useStore(session);
  const [failed, setFailed] = useState(false);
  const leave = async (): Promise<void> => setFailed(!(await signOut()));
  const claims = token === undefined ? undefined : claimsOf(token);
  return (
    <section className="stack">
      <h2>{words.settings.account}</h2>
      {claims === undefined ? null : (
        <>
          <p>{words.signIn.as(claims.name, claims.workspace)}</p>
          <p className="hint">
            {words.signIn.roles(claims.roles.map((role) => roleName(role, words)).join(', '))}
          </p>
          {claims.expiresAtMs === undefined || kind === 'issued' ? null : (
            <p className="hint">
              {words.settings.expires} <Time at={claims.expiresAtMs} exact />
            </p>
          )}
        </>
      )}
      {failed ? (
        <p role="alert" className="problem">
          {words.signIn.outFailed}
        </p>
      ) : null}
      <div className="row">
        <button type="button" onClick={() => void leave()}>
          {words.signIn.out}
        </button>
        <button type="button" onClick={() => goSignIn({ other: true })}>
          {words.signIn.other}
        </button>
      </div>
    </section>
  );
};

export const SettingsScreen = (): ReactNode => {
  const words = useLater();
  const { language, theme, times, letterKeys } = useStore(settings);
  return (
    <section className="screen">
      <h1>{words.settings.title}</h1>
      <Choose
        legend={words.settings.language}
        name="language"
        values={languages}
        value={language}
        word={(value) => languageNames[value]}
        set={(value) => change({ language: value })}
      />
      <Choose
        legend={words.settings.theme}
        name="theme"
        values={themes}
        value={theme}
        word={(value) => words.settings.themes[value]}
        set={(value) => change({ theme: value })}
      />
      <Choose
        legend={words.settings.times}
        name="times"
        values={timeStyles}
        value={times}
        word={(value) => words.settings.timeStyles[value]}
        set={(value) => change({ times: value })}
      />
      <Choose
        legend={words.settings.letterKeys}
        name="letter-keys"
        values={['on', 'off']}
        value={letterKeys ? 'on' : 'off'}
        word={(value) => words.settings[value]}
        set={(value) => change({ letterKeys: value === 'on' })}
      />
      <Account />
    </section>
  );
};
