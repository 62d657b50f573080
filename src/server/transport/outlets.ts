import type { Outlet, OutletOf } from "../core/ports.ts";

/** A frame that carries an event of a stream, as the tRPC adapter makes it. */
interface StreamedFrame {
  readonly id: unknown;
  readonly jsonrpc?: unknown;
  readonly result: { readonly type: "data"; readonly id: string; readonly data: { readonly data: object } };
}

interface KnownFrame {
  readonly call: string;
  readonly eventId: string;
  readonly frame: Buffer;
}

/** The streams of one socket, by what tRPC sent of each. */
export interface Outlets {
  /** Must hear of every message that tRPC sends. */
  notice(message: unknown): void;
  readonly outletOf: OutletOf;
}

export function createOutlets(send: (frame: Buffer) => void): Outlets {
  const calls = new WeakMap<object, string>();
  return {
    notice(message) {
      if (isStreamed(message)) calls.set(message.result.data.data, callOf(message));
    },
    outletOf(firstEvent): Outlet {
      const call = calls.get(firstEvent);
      if (call === undefined) throw new Error("tRPC has not sent the first event of this stream");
      return { send: (eventId, event) => send(frameOf(call, eventId, event)) };
    },
  };
}

/** The last frame of each event: a thousand sockets are sent the same one, for clients number their calls alike. */
const frames = new WeakMap<object, KnownFrame>();

/** The same bytes as tRPC would send for this event, which nobody changes once it is made. */
function frameOf(call: string, eventId: string, event: object): Buffer {
  const known = frames.get(event);
  if (known !== undefined && known.call === call && known.eventId === eventId) return known.frame;
  const data = JSON.stringify({ id: eventId, data: event });
  const frame = Buffer.from(`${call},"result":{"type":"data","data":${data},"id":${JSON.stringify(eventId)}}}`);
  frames.set(event, { call, eventId, frame });
  return frame;
}

/** How each frame of the call begins. */
function callOf({ id, jsonrpc }: StreamedFrame): string {
  return JSON.stringify({ id, jsonrpc }).slice(0, -1);
}

function isStreamed(message: unknown): message is StreamedFrame {
  if (!isObject(message) || !("result" in message) || !("id" in message)) return false;
  const { result } = message;
  if (!isObject(result) || !("data" in result) || !("id" in result) || typeof result.id !== "string") return false;
  const { data } = result;
  return isObject(data) && "id" in data && data.id === result.id && "data" in data && isObject(data.data);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
