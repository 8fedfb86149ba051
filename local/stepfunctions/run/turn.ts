// One turn of one execution: everything that follows from one thing that happened, up to the point where the execution waits
// for the world again. A turn only collects: events, changed frames, calls to make. The engine commits them together and
// makes the calls afterwards, so that every event is stored before it is acted upon.
// Owns: numbering of events and frames, the queue of steps. `soon` keeps what belongs together together; `later` lets
// sibling branches take turns, which gives the order of events that the service shows.
import type { Block, Machine, State, TaskResource } from '../asl/types.ts';
import type { Json } from '../json.ts';
import type { ExecutionRow, ExecutionStatus } from '../store/rows.ts';
import { positionsPerExecution } from '../store/schema.ts';
import type { TurnWrites } from '../store/store.ts';
import { eventsMax, type HistoryEvent } from './events.ts';
import { dueOf, type Failure, type Frame } from './frame.ts';

export type Step =
  | { readonly kind: 'enter'; readonly frame: Frame; readonly state: string; readonly input: Json }
  /** Do the work of the frame's present state: first attempt, retry or redrive. */
  | { readonly kind: 'attempt'; readonly frame: Frame }
  | { readonly kind: 'started'; readonly frame: Frame; readonly call: number }
  | { readonly kind: 'succeed'; readonly frame: Frame; readonly result: Json }
  /** Start as many iterations of a Map as may run. */
  | { readonly kind: 'iterate'; readonly frame: Frame; readonly sourceId: number }
  | { readonly kind: 'join'; readonly frame: Frame; readonly sourceId: number }
  | { readonly kind: 'finish'; readonly frame: Frame; readonly output: Json }
  | {
      readonly kind: 'fail';
      readonly frame: Frame;
      readonly failure: Failure;
      /** The state's own Retry and Catch have had their say. */
      readonly isFinal?: true;
    };

/** An execution in memory. */
export interface Live {
  row: ExecutionRow;
  readonly machine: Machine;
  readonly machineName: string;
  readonly input: Json;
  readonly frames: Map<number, Frame>;
  lastEventId: number;
  lastFrameNo: number;
}

/** A call that a stored TaskStarted stands for. */
export interface CallToMake {
  readonly frame: number;
  readonly call: number;
  readonly resource: TaskResource;
  readonly request: Json;
}

export interface World {
  nowMs(): number;
  random(): number;
  readonly region: string;
  /** A fresh task token for a frame of an execution. */
  token(execution: number, frame: number): string;
}

/** The history is full: nothing can catch it. */
export class HistoryFull extends Error {}

/** Events that end a history; one place is kept for them. */
const lastTypes = new Set([
  'ExecutionFailed',
  'ExecutionAborted',
  'ExecutionTimedOut',
  'ExecutionSucceeded',
]);

export class Turn {
  readonly live: Live;
  readonly world: World;
  readonly nowMs: number;
  /** The execution at each change of its status, to be told once this turn is stored. */
  readonly statusRows: ExecutionRow[] = [];
  readonly #calls: CallToMake[] = [];
  readonly #events: HistoryEvent[] = [];
  readonly #touched = new Set<number>();
  readonly #removed = new Set<number>();
  readonly #steps: Step[] = [];
  readonly #texts = new WeakMap<object, string>();
  #rowChanged = false;

  constructor(live: Live, world: World) {
    this.live = live;
    this.world = world;
    this.nowMs = world.nowMs();
  }

  soon(step: Step): void {
    this.#steps.unshift(step);
  }

  later(step: Step): void {
    this.#steps.push(step);
  }

  nextStep(): Step | undefined {
    return this.#steps.shift();
  }

  /** Forgets what was to come: the execution is over. */
  clearSteps(): void {
    this.#steps.length = 0;
  }

  /** Adds an event and returns its id. Does not move any frame's `lastId`. */
  record(type: string, previousEventId: number, details: Record<string, unknown>): number {
    if (this.live.lastEventId >= eventsMax - 1 && !lastTypes.has(type)) throw new HistoryFull();
    this.live.lastEventId += 1;
    const id = this.live.lastEventId;
    this.#events.push({ id, previousEventId, type, atMs: this.nowMs, details });
    return id;
  }

  /** Adds an event to a frame's chain. */
  event(frame: Frame, type: string, details: Record<string, unknown> = {}): number {
    frame.lastId = this.record(type, frame.lastId, details);
    this.touch(frame);
    return frame.lastId;
  }

  touch(frame: Frame): void {
    this.#touched.add(frame.no);
  }

  /** The value as JSON text, made once per turn. */
  text(value: Json): string {
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    const known = this.#texts.get(value);
    if (known !== undefined) return known;
    const text = JSON.stringify(value);
    this.#texts.set(value, text);
    return text;
  }

  /** A frame that has not entered a state yet; it will enter its block with `input`. */
  addFrame(
    parent: Frame | undefined,
    start: { index: number; input: Json; lastId: number; item?: { value: Json } },
  ): Frame {
    const { index, input, lastId, item } = start;
    this.live.lastFrameNo += 1;
    const no = this.live.lastFrameNo;
    if (no >= positionsPerExecution) throw new HistoryFull();
    const frame: Frame = {
      no,
      parent: parent?.no,
      index,
      ...(item === undefined ? {} : { item }),
      status: 'running',
      state: '',
      input,
      variables: {},
      enteredId: 0,
      enteredMs: this.nowMs,
      lastId,
      causeId: lastId,
      retryCount: 0,
      retries: [],
      doing: { kind: 'moving' },
    };
    this.live.frames.set(no, frame);
    this.touch(frame);
    return frame;
  }

  removeFrame(frame: Frame): void {
    this.live.frames.delete(frame.no);
    this.#touched.delete(frame.no);
    this.#removed.add(frame.no);
    frame.status = 'aborted';
  }

  children(frame: Frame): Frame[] {
    return [...this.live.frames.values()]
      .filter(({ parent }) => parent === frame.no)
      .sort((a, b) => a.index - b.index);
  }

  parent(frame: Frame): Frame | undefined {
    return frame.parent === undefined ? undefined : this.live.frames.get(frame.parent);
  }

  block(frame: Frame): Block {
    const parent = this.parent(frame);
    if (parent === undefined) return this.live.machine;
    const state = this.state(parent);
    const block =
      state.type === 'Map'
        ? state.body
        : state.type === 'Parallel'
          ? state.branches[frame.index]
          : undefined;
    if (block === undefined) throw new Error(`Frame ${frame.no} stands under no branching state.`);
    return block;
  }

  state(frame: Frame): State {
    const state = this.block(frame).states.get(frame.state);
    if (state === undefined) throw new Error(`There is no state "${frame.state}".`);
    return state;
  }

  updateRow(change: Partial<ExecutionRow>): void {
    this.live.row = { ...this.live.row, ...change };
    this.#rowChanged = true;
    if (change.status !== undefined) this.statusRows.push(this.live.row);
  }

  /** Ends the execution. Frames of an unsuccessful one stay, inert, for a redrive. */
  end(
    status: Exclude<ExecutionStatus, 'RUNNING' | 'PENDING_REDRIVE'>,
    result: Pick<Partial<ExecutionRow>, 'output' | 'error' | 'cause'>,
  ): void {
    const { output, error, cause } = result;
    this.updateRow({ status, output, error, cause, stopped_ms: this.nowMs, due_ms: undefined });
    for (const frame of [...this.live.frames.values()]) {
      if (status === 'SUCCEEDED') this.removeFrame(frame);
      else if (frame.status === 'running') {
        frame.status = 'aborted';
        this.touch(frame);
      }
    }
    this.clearSteps();
  }

  /** Notes a call; it is made when this turn is stored. */
  willCall(call: CallToMake): void {
    this.#calls.push(call);
  }

  /** The calls of frames that still wait for them at the end of the turn. */
  calls(): readonly CallToMake[] {
    return this.#calls.filter(({ frame: no, call }) => {
      const frame = this.live.frames.get(no);
      if (frame?.status !== 'running') return false;
      return frame.doing.kind === 'calling' && frame.doing.call === call;
    });
  }

  /** The earliest due time among what this turn changed. */
  earliestDueMs(): number | undefined {
    const frames = [...this.#touched].flatMap((no) => this.live.frames.get(no) ?? []);
    const dues = frames.flatMap((frame) => dueOf(frame) ?? []);
    if (this.#rowChanged && this.live.row.due_ms !== undefined) dues.push(this.live.row.due_ms);
    return dues.length === 0 ? undefined : Math.min(...dues);
  }

  writes(): TurnWrites {
    return {
      execution: this.live.row,
      executionChanged: this.#rowChanged,
      events: this.#events,
      frames: [...this.#touched].flatMap((no) => this.live.frames.get(no) ?? []),
      removed: [...this.#removed],
    };
  }
}
