import type { LoginAnswer } from "../../../shared/auth.ts";
import { AppError } from "../../platform/errors.ts";
import type { AuthDeps } from "./deps.ts";

type Refusal = "refused" | "code_refused";

/** Runs a step of a sign-in, and counts how it went; `refusal` is what LOGIN_FAILED counts as. */
export async function countOutcome<Answer extends LoginAnswer>(
  { metrics }: Pick<AuthDeps, "metrics">,
  refusal: Refusal,
  step: () => Promise<Answer>,
): Promise<Answer> {
  try {
    const answer = await step();
    const isDone = "token" in answer;
    metrics.signIns.inc({ outcome: isDone ? "ok" : "challenged" });
    return answer;
  } catch (error) {
    metrics.signIns.inc({ outcome: outcomeOf(error, refusal) });
    throw error;
  }
}

function outcomeOf(error: unknown, refusal: Refusal): Refusal | "limited" | "error" {
  const code = error instanceof AppError ? error.code : null;
  if (code === "LOGIN_FAILED") return refusal;
  return code === "TOO_MANY_REQUESTS" ? "limited" : "error";
}
