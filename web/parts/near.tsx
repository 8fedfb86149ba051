// Shows its content once it has come near to what is before one's eyes: a long list of forms asks only for those.
import { type ReactNode, useEffect, useRef, useState } from 'react';

export const Near = ({ children }: { readonly children: ReactNode }): ReactNode => {
  const place = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(false);
  useEffect(() => {
    if (near || place.current === null) return;
    const observer = new IntersectionObserver(
      (seen) => {
        if (seen.some(({ isIntersecting }) => isIntersecting)) setNear(true);
      },
      { rootMargin: '100% 0px' },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [near]);
  return (
    <div ref={place} className={near ? undefined : 'not-near'}>
      {near ? children : null}
    </div>
  );
};
