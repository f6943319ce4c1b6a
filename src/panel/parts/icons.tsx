/** The one icon set: 16-unit grid, 1.5-unit strokes in the text's colour. Icons are decoration; the name is always text. */
import type { JSX } from 'preact';

const PATHS = {
  record: <circle cx="8" cy="8" r="5" fill="currentColor" stroke="none" />,
  stopped: <circle cx="8" cy="8" r="5" />,
  pause: <path d="M5.5 3.5v9M10.5 3.5v9" />,
  play: <path d="M5 3.2v9.6l8-4.8z" fill="currentColor" />,
  clear: <path d="M3.9 12.1l8.2-8.2M8 2.2a5.8 5.8 0 1 0 0 11.6A5.8 5.8 0 0 0 8 2.2z" />,
  search: <path d="M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.4 10.4l3.4 3.4" />,
  filters: <path d="M2.2 3h11.6L9.6 8.2v4.6l-3.2 1V8.2zM11 12.2h3.4M12.7 10.5v3.4" />,
  close: <path d="M4 4l8 8M12 4l-8 8" />,
  alarm: <path d="M8 2.2L14.6 13.6H1.4zM8 6.4v3.4M8 11.4v.4" />,
  unsure: <path d="M5.8 6a2.2 2.2 0 1 1 3.1 2c-.6.3-.9.7-.9 1.5M8 11.8v.4" />,
  runs: <path d="M2.5 3h11v10h-11zM6.5 3v10" />,
  details: <path d="M2.5 3h11v10h-11zM9.5 3v10" />,
  drawer: <path d="M2.5 3h11v10h-11zM2.5 9.5h11" />,
  timeline: <path d="M2 4.5h5M6 8h7M3.5 11.5h5M11 11.5h2.5" />,
  settings: (
    <path d="M8 5.6a2.4 2.4 0 1 0 0 4.8 2.4 2.4 0 0 0 0-4.8zM8 1.8v1.7M8 12.5v1.7M1.8 8h1.7M12.5 8h1.7M3.6 3.6l1.2 1.2M11.2 11.2l1.2 1.2M12.4 3.6l-1.2 1.2M4.8 11.2l-1.2 1.2" />
  ),
  more: <path d="M8 3.6v.1M8 8v.1M8 12.3v.1" stroke-width="2.2" />,
  keyboard: <path d="M1.8 4h12.4v8H1.8zM4 6.5h.1M6.6 6.5h.1M9.2 6.5h.1M11.9 6.5h.1M5 9.6h6" />,
  open: <path d="M2 12.8V3.6h4l1.4 1.6H14v7.6zM8 11V7.4M6.4 8.8L8 7.2l1.6 1.6" />,
  save: <path d="M8 2.4v7.2M5 7l3 3 3-3M2.6 11v2.4h10.8V11" />,
  copy: <path d="M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3" />,
  done: <path d="M2.8 8.4l3.4 3.4 7-7.4" />,
  right: <path d="M6 3.5L10.5 8 6 12.5" />,
  down: <path d="M3.5 6L8 10.5 12.5 6" />,
  up: <path d="M3.5 10L8 5.5l4.5 4.5" />,
  fit: <path d="M2 3v10M14 3v10M4.5 8h7M6.5 6l-2 2 2 2M9.5 6l2 2-2 2" />,
  zoomIn: <path d="M8 3v10M3 8h10" />,
  zoomOut: <path d="M3 8h10" />,
  inspect: <path d="M6.5 13.5h-4v-11h11v4M8 8l6 2.2-2.6 1.2L10.2 14z" />,
  point: <path d="M8 1.8v3M8 11.2v3M1.8 8h3M11.2 8h3M8 5.6a2.4 2.4 0 1 0 0 4.8 2.4 2.4 0 0 0 0-4.8z" />,
  mute: <path d="M2.4 6.2v3.6h2.4L8 12.6V3.4L4.8 6.2zM10.4 6.4l3.2 3.2M13.6 6.4l-3.2 3.2" />,
  help: <path d="M8 1.9a6.1 6.1 0 1 0 0 12.2A6.1 6.1 0 0 0 8 1.9zM6.3 6.3a1.8 1.8 0 1 1 2.5 1.7c-.5.2-.8.6-.8 1.2M8 11.2v.3" />,
  tail: <path d="M8 2.4v8M4.8 7.6L8 10.8l3.2-3.2M3 13.4h10" />,
  compare: <path d="M2.5 3h4.5v10H2.5zM9 3h4.5v10H9zM4 6h1.5M4 8.5h1.5M10.5 6H12M10.5 10H12" />,
  swap: <path d="M4.5 6.5h8.5L10.5 4M11.5 9.5H3l2.5 2.5" />,
  history: <path d="M2.6 8a5.4 5.4 0 1 0 1.7-3.9L2.6 5.6M2.6 2.4v3.2h3.2M8 5v3.4l2.2 1.3" />,
  sample: <path d="M6.2 2.2h3.6M7 2.2v4.2L3.2 13c-.2.5.1.9.6.9h8.4c.5 0 .8-.4.6-.9L9 6.4V2.2M5.2 9.8h5.6" />,
  // Settlements.
  live: <path d="M8 2.6a5.4 5.4 0 1 1-5.2 4" stroke-dasharray="3 2" />,
  completed: <path d="M2.8 8.4l3.4 3.4 7-7.4" />,
  waiting: <path d="M5.5 3.5v9M10.5 3.5v9" stroke-width="2" />,
  truncated: <path d="M2 8h7M11 4.5l-2 7M14 4.5l-2 7" />,
  refused: <path d="M8 2.2a5.8 5.8 0 1 0 0 11.6A5.8 5.8 0 0 0 8 2.2zM4.6 8h6.8" />,
  failed: <path d="M8 2.2a5.8 5.8 0 1 0 0 11.6A5.8 5.8 0 0 0 8 2.2zM5.9 5.9l4.2 4.2M10.1 5.9l-4.2 4.2" />,
  cancelled: <path d="M4 4h8v8H4z" />,
  severed: <path d="M1.8 8h4M10.2 8h4M7.2 4.6L5.8 11.4M10.2 4.6L8.8 11.4" />,
  unattested: <path d="M8 1.9a6.1 6.1 0 1 0 0 12.2A6.1 6.1 0 0 0 8 1.9zM6.3 6.3a1.8 1.8 0 1 1 2.5 1.7c-.5.2-.8.6-.8 1.2M8 11.2v.3" />,
  superseded: <path d="M3 4.5h6a3.5 3.5 0 0 1 0 7H4M6.4 9L4 11.5 6.4 14" />,
  // Standings.
  provisional: <circle cx="8" cy="8" r="4.6" stroke-dasharray="2.2 2.2" />,
  committed: <circle cx="8" cy="8" r="4.2" fill="currentColor" />,
  settling: <path d="M4.5 14V2.5h8l-2 2.8 2 2.8h-8" fill="none" />,
} as const;

export type IconName = keyof typeof PATHS;

export const Icon = ({ name, size = 16, class: className }: { name: IconName; size?: number; class?: string }): JSX.Element => (
  <svg
    class={className === undefined ? 'icon' : `icon ${className}`}
    width={size}
    height={size}
    viewBox="0 0 16 16"
    fill="none"
    stroke="currentColor"
    stroke-width="1.5"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
    focusable="false"
  >
    {PATHS[name]}
  </svg>
);
