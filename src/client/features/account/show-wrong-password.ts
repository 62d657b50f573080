import type { UseFormReturn } from "react-hook-form";
import { errorCode, errorMessage } from "@/api/errors";
import type { OwnFactorValues } from "./own-factor-fields";

/** Under its field. */
export function showWrongPassword<Output>(
  error: unknown,
  form: UseFormReturn<OwnFactorValues, unknown, Output>,
): void {
  if (errorCode(error) !== "WRONG_PASSWORD") return;
  const refusal = { type: "server", message: errorMessage(error) };
  form.setError("password", refusal, { shouldFocus: true });
}
