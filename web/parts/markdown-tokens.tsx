// Markdown as elements: marked reads it, this draws it. No HTML string is ever made or inserted; HTML in the text is shown as
// text; images are not loaded (their address could carry data away); links lead to http, https and mailto only.
import { marked, type Token, type Tokens } from 'marked';
import { memo, type ReactNode } from 'react';
import { focusable, Plain } from './plain-text.tsx';
import { spokenIn } from './spoken.ts';

const safeLink = (href: string): string | undefined => {
  try {
    const { protocol } = new URL(href);
    return ['http:', 'https:', 'mailto:'].includes(protocol) ? href : undefined;
  } catch {
    return undefined;
  }
};

const Link = ({ href, children }: { readonly href: string; readonly children: ReactNode }) => {
  const safe = safeLink(href);
  if (safe === undefined) return <>{children}</>;
  return (
    <a href={safe} target="_blank" rel="noreferrer noopener nofollow">
      {children}
    </a>
  );
};

const inner = (token: {
  readonly tokens?: Token[] | undefined;
  readonly text?: string;
}): ReactNode =>
  token.tokens === undefined ? <Plain text={token.text ?? ''} /> : <Many tokens={token.tokens} />;

const isTable = (token: Token): token is Tokens.Table => token.type === 'table';
const isList = (token: Token): token is Tokens.List => token.type === 'list';
const isHeading = (token: Token): token is Tokens.Heading => token.type === 'heading';
const isLink = (token: Token): token is Tokens.Link => token.type === 'link';
const isImage = (token: Token): token is Tokens.Image => token.type === 'image';
const isCode = (token: Token): token is Tokens.Code => token.type === 'code';

/** Tokens have no identity: a text only grows at its end, so their place names them. */
const numbered = <Item,>(items: readonly Item[]): { readonly id: number; readonly item: Item }[] =>
  items.map((item, id) => ({ id, item }));

const Table = ({ token }: { readonly token: Tokens.Table }): ReactNode => (
  <div className="scroll-x">
    <table>
      <thead>
        <tr>
          {numbered(token.header).map(({ item: cell, id }) => (
            <th key={id} scope="col">
              {inner(cell)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {numbered(token.rows).map(({ item: row, id }) => (
          <tr key={id}>
            {numbered(row).map(({ item: cell, id: column }) => (
              <td key={column}>{inner(cell)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

const List = ({ token }: { readonly token: Tokens.List }): ReactNode => {
  const items = numbered(token.items).map(({ item, id }) => (
    <li key={id}>
      {item.task ? (item.checked === true ? '☑ ' : '☐ ') : null}
      {inner(item)}
    </li>
  ));
  return token.ordered ? <ol start={Number(token.start) || 1}>{items}</ol> : <ul>{items}</ul>;
};

const textOf = (token: Token): string =>
  'text' in token && typeof token.text === 'string' ? token.text : token.raw;

const simple: { readonly [type: string]: (token: Tokens.Generic) => ReactNode } = {
  space: () => null,
  hr: () => <hr />,
  br: () => <br />,
  paragraph: (token) => <p>{inner(token)}</p>,
  blockquote: (token) => <blockquote>{inner(token)}</blockquote>,
  strong: (token) => <strong>{inner(token)}</strong>,
  em: (token) => <em>{inner(token)}</em>,
  del: (token) => <del>{inner(token)}</del>,
  codespan: (token) => (
    <code>
      <Plain text={textOf(token)} />
    </code>
  ),
  text: (token) => inner(token),
  escape: (token) => <Plain text={textOf(token)} />,
};

const One = ({ token }: { readonly token: Token }): ReactNode => {
  if (isHeading(token))
    return (
      <p className="heading" data-depth={token.depth}>
        {inner(token)}
      </p>
    );
  if (isList(token)) return <List token={token} />;
  if (isTable(token)) return <Table token={token} />;
  if (isLink(token)) return <Link href={token.href}>{inner(token)}</Link>;
  if (isImage(token))
    return (
      <span className="image">
        <Plain text={`${token.text} (${token.href})`} />
      </span>
    );
  if (isCode(token))
    return (
      <pre {...focusable} dir="auto">
        <Plain text={token.text} />
      </pre>
    );
  const draw = simple[token.type];
  return draw === undefined ? <Plain text={token.raw} /> : draw(token);
};

const Many = ({ tokens }: { readonly tokens: readonly Token[] }): ReactNode =>
  numbered(tokens).map(({ item, id }) => <One key={`${id}${item.type}`} token={item} />);

/** Above this a text is shown as it is: the lexer's work grows with it. */
const lexedMost = 100_000;

export const MarkdownTokens = memo(({ text }: { readonly text: string }): ReactNode => {
  const tokens = text.length > lexedMost ? undefined : marked.lexer(text, { gfm: true });
  return (
    <div className="prose" dir="auto" lang={spokenIn(text)}>
      {tokens === undefined ? <Plain text={text} /> : <Many tokens={tokens} />}
    </div>
  );
});
