/** One call of `read` for all callers, begun when the first of them needs it. */
export function once<Value>(read: () => Value): () => Value {
  let value: { readonly of: Value } | undefined;
  return () => {
    value ??= { of: read() };
    return value.of;
  };
}
