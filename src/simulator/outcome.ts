/** Payload fields of an answer, beside `RetCode` and `Action`. */
export type Payload = Record<string, unknown>;

/** What an action came to. Business errors are an outcome too: they travel with HTTP 200. */
export type Outcome = { retCode: 0; payload: Payload } | { retCode: number | string; message: string };

export function succeed(payload: Payload): Outcome {
  return { retCode: 0, payload };
}

export function refuse(retCode: number | string, message: string): Outcome {
  return { retCode, message };
}

/** The JSON envelope. Refusals before the action is known carry no `Action`, as recorded from the real gateway. */
export function envelope(outcome: Outcome, action: string | undefined): Payload {
  const name = action === undefined ? {} : { Action: `${action}Response` };
  return "payload" in outcome
    ? { RetCode: 0, ...name, ...outcome.payload }
    : { RetCode: outcome.retCode, Message: outcome.message, ...name };
}
