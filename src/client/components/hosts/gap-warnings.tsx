import { Alert } from "@/components/ui/alert";
import { useNow } from "@/lib/use-now";
import { gapWarnings, type PromisedHost } from "./provider-gap";

/** For forms that give hosts to clients until some time: where the provider ends before that. */
export function GapWarnings({ promised }: { promised: readonly PromisedHost[] }) {
  return gapWarnings(promised, useNow()).map(({ tone, text }) => (
    <Alert key={text} tone={tone}>
      {text}
    </Alert>
  ));
}
