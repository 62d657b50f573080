import { Card } from "@/components/ui/card";
import { ErrorState } from "@/components/ui/error-state";
import { failureText } from "@/failure";

type NumbersFailureProps = { error: unknown; onRetry: () => unknown; isRetrying: boolean };

/** In the place of the numbers when they could not be had. */
export function NumbersFailure({ error, onRetry, isRetrying }: NumbersFailureProps) {
  return (
    <Card>
      <ErrorState message={failureText(error)} onRetry={onRetry} isRetrying={isRetrying} />
    </Card>
  );
}
