/** Fields of an answer. */
export type Payload = Record<string, unknown>;

/** The result of an action; a business error has HTTP status 200 too. */
export type Outcome =
  | { retCode: 0; payload: Payload }
  | { retCode: number | string; message: string };

export function succeed(payload: Payload): Outcome {
  return { retCode: 0, payload };
}

export function refuse(retCode: number | string, message: string): Outcome {
  return { retCode, message };
}

/**
 * The body of an answer. Like the real gateway, a refusal before the action is known has no
 * `Action`.
 */
export function toBody(outcome: Outcome, action?: string): Payload {
  const name = action === undefined ? {} : { Action: `${action}Response` };
  return "payload" in outcome
    ? { RetCode: 0, ...name, ...outcome.payload }
    : { RetCode: outcome.retCode, Message: outcome.message, ...name };
}
