/* Codes in the tables: kinds of rectangles and of events (engine/tables.py). */

export const [RUN, STALL, LOST] = [0, 1, 2]; // `kind` of a rectangle
const EVENT_KINDS = [
  "submit",
  "start",
  "end",
  "pause",
  "resume",
  "migrate",
  "swap",
  "kill",
  "reserve",
  "backfill",
  "reject",
  "unreserve",
  "correct",
];
export const [SUBMIT, START, END, PAUSE, RESUME, MIGRATE, SWAP, KILL, RESERVE, BACKFILL, REJECT, UNRESERVE, CORRECT] =
  EVENT_KINDS.keys();
