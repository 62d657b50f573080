/** The JSON of what streams send, by the object: a thousand sockets are sent the same event, which nobody changes once it is made. */
const texts = new WeakMap<object, string>();

/** A frame that carries an event of a stream, as the tRPC adapter makes it. */
interface StreamedFrame {
  readonly id: unknown;
  readonly jsonrpc?: unknown;
  readonly result: { readonly type: "data"; readonly id: string; readonly data: { readonly data: object } };
}

/** The same as JSON.stringify. */
export function frameText(message: unknown): string {
  if (!isStreamed(message)) return JSON.stringify(message);
  const { id, jsonrpc, result } = message;
  const head = JSON.stringify({ id, jsonrpc }).slice(0, -1);
  const eventId = JSON.stringify(result.id);
  return `${head},"result":{"type":"data","data":{"id":${eventId},"data":${textOf(result.data.data)}},"id":${eventId}}}`;
}

function textOf(event: object): string {
  const known = texts.get(event);
  if (known !== undefined) return known;
  const text = JSON.stringify(event);
  texts.set(event, text);
  return text;
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
