// A part of the page that is loaded when it is first shown. Owns: that one which cannot be loaded, or breaks, takes nothing else
// with it: in its place it is said, with the way out.
import { Component, type ReactNode, Suspense } from 'react';
import { useWords } from '../words/index.tsx';

const Broken = (): ReactNode => {
  const { problem } = useWords();
  return (
    <div className="note problem" role="alert">
      <p>{problem.part}</p>
      <button type="button" onClick={() => location.reload()}>
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
