// Small line icons, drawn here: no font, no request. Always beside a word, so hidden from assistive technology.
import type { ReactNode } from 'react';

const shapes = {
  check: 'M3.5 8.5l3 3 6-7',
  cross: 'M4 4l8 8M12 4l-8 8',
  question: 'M6 6a2 2 0 1 1 2.8 1.8c-.6.3-.8.7-.8 1.4M8 11.700v.1',
  clock: 'M8 4.5V8l2.500 1.500',
  send: 'M2.500 8h10M8.500 4l4 4-4 4',
  dots: 'M3.500 8h.1M8 8h.1M12.500 8h.1',
  hand: 'M8 4.500v4M8 11.500v.1',
  stop: 'M5.500 5.500h5v5h-5z',
  pause: 'M6 5v6M10 5v6',
  down: 'M8 3.500v9M4 8.500l4 4 4-4',
  left: 'M10 3.500L5.500 8 10 12.500',
  right: 'M6 3.500l4.500 4.500L6 12.500',
  copy: 'M5.500 5.500v-2h7v7h-2M3.500 5.500h7v7h-7z',
  search: 'M7 11.500a4.500 4.500 0 1 1 0-9 4.500 4.500 0 0 1 0 9zM10.500 10.500l3.500 3.500',
  plus: 'M8 3v10M3 8h10',
  talk: 'M2.500 3.500h11v7h-6l-3 2.500v-2.500h-2z',
  inbox: 'M2.500 9l2-5.500h7l2 5.500v3.500h-11zM2.500 9h3.500l.8 1.500h2.400L10 9h3.500',
  desk: 'M8 2.500l5 2v3.500c0 3-2 4.700-5 5.500-3-.8-5-2.500-5-5.500V4.500z',
  agent: 'M4 6.500h8v6H4zM8 6.500V3.500M6.500 9v1M9.500 9v1',
  tool: 'M10 3a3 3 0 0 0-3.300 4L3 10.700 5.300 13 9 9.300A3 3 0 0 0 13 6l-2 1-2-2z',
  skill:
    'M8 2.500l1.700 3.600 3.800.5-2.800 2.700.7 3.900L8 11.300l-3.400 1.900.7-3.900L2.500 6.600l3.800-.5z',
  chart: 'M3 13V8.500M7 13V3.500M11 13V6.500M2 13h12',
  routine: 'M13 8a5 5 0 1 1-1.500-3.500M13 2.500v2.500h-2.500',
  gear: 'M8 5.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5zM8 2v1.500M8 12.500V14M2 8h1.500M12.500 8H14M3.800 3.800l1 1M11.200 11.200l1 1M12.200 3.800l-1 1M4.800 11.200l-1 1',
  audit: 'M4 2.500h8v11H4zM6 5.500h4M6 8h4M6 10.500h2.500',
  keyboard: 'M2 4.500h12v7H2zM4.500 7h.1M7 7h.1M9.500 7h.1M12 7h.1M5 9.500h6',
  menu: 'M3 4.500h10M3 8h10M3 11.500h10',
} as const;
const ringed = new Set(['question', 'clock', 'hand', 'stop']);

export type IconName = keyof typeof shapes;

export const Icon = ({ name }: { readonly name: IconName }): ReactNode => (
  <svg className="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
    {ringed.has(name) ? <circle cx="8" cy="8" r="6.5" /> : null}
    <path d={shapes[name]} />
  </svg>
);
