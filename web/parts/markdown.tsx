// Markdown, once its reader is loaded; the plain text until then.
import { lazy, type ReactNode } from 'react';
import { Late, patiently } from './late.tsx';
import { Plain } from './plain-text.tsx';

const Tokens = lazy(async () => ({
  default: (await patiently(() => import('./markdown-tokens.tsx'))).MarkdownTokens,
}));

export const Markdown = ({ text }: { readonly text: string }): ReactNode => {
  const plain = (
    <p className="prose" dir="auto">
      <Plain text={text} />
    </p>
  );
  return (
    <Late meanwhile={plain} instead={plain}>
      <Tokens text={text} />
    </Late>
  );
};
