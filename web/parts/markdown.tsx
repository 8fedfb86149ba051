// Markdown, once its reader is loaded; the plain text until then.
import { lazy, type ReactNode, Suspense } from 'react';
import { Plain } from './plain-text.tsx';

const Tokens = lazy(async () => ({
  default: (await import('./markdown-tokens.tsx')).MarkdownTokens,
}));

export const Markdown = ({ text }: { readonly text: string }): ReactNode => (
  <Suspense
    fallback={
      <p className="prose" dir="auto">
        <Plain text={text} />
      </p>
    }
  >
    <Tokens text={text} />
  </Suspense>
);
