// A part of the page that is loaded when it is first shown. Owns: that one which cannot be loaded, or breaks, takes nothing else
// with it: in its place it is said, with the way out. While no answer comes it waits, and comes by itself afterwards.
import { Component, type ReactNode, Suspense } from 'react';
import { ask, back, lostSince } from '../api/connection.ts';
import { useStore } from '../base/store.ts';
import { useWords } from '../words/index.tsx';

/**
 * What `read` loads, once it can be. A browser remembers that a part did not come, so none is asked for while no answer comes.
 * `screen`: it is the whole screen; where it was remembered, the page is loaded anew, which then loses nothing.
 */
export const patiently = async <Part,>(
  read: () => Promise<Part>,
  screen = false,
): Promise<Part> => {
  await back();
  const place = location.hash;
  try {
    return await read();
  } catch (cause) {
    await ask();
    if (lostSince.get() === undefined) throw cause;
    await back();
    return read().catch((still: unknown) => {
      if (!screen || location.hash !== place) throw still;
      location.reload();
      return new Promise<Part>(() => undefined);
    });
  }
};

const Broken = (): ReactNode => {
  const { problem } = useWords();
  const lost = useStore(lostSince) !== undefined;
  return (
    <div className="note problem" role="alert">
      <p>{problem.part}</p>
      <button type="button" disabled={lost} onClick={() => location.reload()}>
        {problem.reload}
      </button>
    </div>
  );
};

interface Content {
  readonly children: ReactNode;
  /** Shown until it is loaded. */
  readonly meanwhile?: ReactNode;
  /** Shown where it cannot be. */
  readonly instead?: ReactNode;
  /** What it is a part of: for another one it is tried anew. */
  readonly of?: string;
}

export class Late extends Component<Content, { readonly broken: boolean }> {
  override state = { broken: false };
  static getDerivedStateFromError = () => ({ broken: true });
  override componentDidUpdate({ of }: Content): void {
    if (this.state.broken && of !== this.props.of) this.setState({ broken: false });
  }
  override render(): ReactNode {
    const { children, meanwhile, instead = <Broken /> } = this.props;
    return this.state.broken ? instead : <Suspense fallback={meanwhile}>{children}</Suspense>;
  }
}
