import { parser } from "@prometheus-io/lezer-promql";

/** What a PromQL expression asks for. */
export interface Selector {
  readonly metric: string;
  /** Labels that it picks by. */
  readonly labels: readonly string[];
}

/** Throws when it does not parse. Grafana's own variables are put in first, as Grafana would. */
export function selectorsOf(expression: string): Selector[] {
  const text = expression.replaceAll("$__rate_interval", "5m").replaceAll("$__range", "6h");
  const selectors: { metric: string; labels: string[] }[] = [];
  parser
    .configure({ top: "PromQL" })
    .parse(text)
    .iterate({
      enter({ type, name, from, to }) {
        if (type.isError) throw new Error(`PromQL does not parse at ${from}: ${text}`);
        const word = text.slice(from, to);
        if (name === "VectorSelector") selectors.push({ metric: "", labels: [] });
        const current = selectors.at(-1);
        if (current === undefined) return;
        if (name === "Identifier" && current.metric === "") current.metric = word;
        if (name === "UnquotedLabelMatcher") current.labels.push(/^\w+/.exec(word)?.[0] ?? "");
      },
    });
  return selectors;
}
