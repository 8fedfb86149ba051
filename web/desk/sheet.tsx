// The recovery sheet on the page: eight fields, each saying what is observed or supposed, since when, and what is missing; to
// take away as Markdown, HTML or JSON, or on one page of paper. The words are the server's, so that all forms say the same.
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { getText, sheetPath } from '../api/calls.ts';
import { useSheet } from '../api/queries.ts';
import type { ActionView, Sheet } from '../api/types.ts';
import { settings } from '../base/settings.ts';
import { useStore } from '../base/store.ts';
import { CopyMenu } from '../copying/copy.tsx';
import { download } from '../copying/export.ts';
import { sheetId } from '../copying/thing-kinds.ts';
import { useAnchor } from '../parts/anchor.ts';
import { Icon } from '../parts/icon.tsx';
import { Loaded, ProblemNote } from '../parts/notes.tsx';
import { Plain } from '../parts/plain-text.tsx';
import { absoluteIn } from '../parts/time.tsx';
import { useWords } from '../words/index.tsx';
import { useLater } from '../words/later.ts';

type Field = Sheet['fields'][number];

const types = { md: 'text/markdown', html: 'text/html', json: 'application/json' } as const;
const formats = ['md', 'html', 'json'] as const;

const Export = ({ actionId }: { readonly actionId: string }): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  const exporting = useMutation({
    mutationFn: async (format: (typeof formats)[number]) =>
      download(`${actionId}.${format}`, types[format], await getText(sheetPath(actionId, format))),
  });
  const label = { md: words.desk.markdown, html: words.desk.html, json: words.desk.json };
  return (
    <div className="row no-print">
      <span className="hint">{words.desk.export}</span>
      {formats.map((format) => (
        <button key={format} type="button" onClick={() => exporting.mutate(format)}>
          {label[format]}
        </button>
      ))}
      <button type="button" onClick={() => window.print()}>
        {words.desk.print}
      </button>
      {exporting.error ? <ProblemNote cause={exporting.error} /> : null}
    </div>
  );
};

/** In UTC like the sheet's own sentences, which leave the page with it: one zone in one sheet. The reader's own is on it. */
const SheetTime = ({ at }: { readonly at: string }): ReactNode => {
  const { language } = useStore(settings);
  const ms = Date.parse(at);
  return (
    <time dateTime={at} title={absoluteIn(language, ms, false)}>
      {absoluteIn(language, ms, true)}
    </time>
  );
};

/** A link of the sheet: the page's own places stay in the page. */
const LineText = ({ line }: { readonly line: Field['lines'][number] }): ReactNode => {
  const { link, text } = line;
  if (link === undefined || !/^https?:\/\//.test(link)) return <Plain text={text} />;
  const ours = link.startsWith(`${location.origin}/`);
  return (
    <a href={link} {...(ours ? {} : { target: '_blank', rel: 'noreferrer noopener' })}>
      <Plain text={text} />
    </a>
  );
};

const FieldView = ({ field }: { readonly field: Field }): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  return (
    <li className="sheet-field">
      <h3>
        <span className="sheet-number">{field.number}</span> {field.title}{' '}
        <span className="sheet-is" data-is={field.is}>
          {words.desk[field.is]}
          {field.since === undefined ? null : (
            <>
              , {words.desk.since2} <SheetTime at={field.since} />
            </>
          )}
        </span>
      </h3>
      <dl className="facts">
        {field.lines.map((line) => (
          <div key={`${line.says}:${line.label}:${line.text}:${line.at}`}>
            <dt>
              <Plain text={line.label} />
            </dt>
            <dd>
              <LineText line={line} />{' '}
              <span className="hint">
                {words.desk[line.is]}
                {line.at === undefined ? null : (
                  <>
                    , <SheetTime at={line.at} />
                  </>
                )}
              </span>
            </dd>
          </div>
        ))}
      </dl>
      {field.missing.length === 0 ? null : (
        <div className="sheet-missing">
          <p>
            <Icon name="question" /> <strong>{words.desk.missing}</strong>
          </p>
          <ul>
            {field.missing.map(({ says, text }) => (
              <li key={`${says}:${text}`}>
                <Plain text={text} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </li>
  );
};

export const SheetView = ({ view }: { readonly view: ActionView }): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  const { action, claim } = view;
  const id = sheetId(action.actionId);
  const anchor = useAnchor<HTMLElement>(id);
  return (
    <section className="sheet" aria-labelledby="sheet-title" {...anchor}>
      <div className="screen-head">
        <h2 id="sheet-title">{words.desk.sheet}</h2>
        <CopyMenu compact id={id} thing={{ kind: 'sheet', of: action }} />
        <Export actionId={action.actionId} />
      </div>
      <Loaded asked={useSheet(action.actionId, action.head, claim?.fence ?? 0)}>
        {(sheet) => (
          <>
            <p className="hint">{sheet.stateAt}</p>
            <ol className="sheet-fields">
              {sheet.fields.map((field) => (
                <FieldView key={field.name} field={field} />
              ))}
            </ol>
          </>
        )}
      </Loaded>
    </section>
  );
};
