const PARENT_CHECK_MS = 250;

/**
 * Aborts at SIGTERM or SIGINT. Under npm also when the parent ends: npm signals only the shell that
 * it starts.
 */
export function stopSignal(env: NodeJS.ProcessEnv): AbortSignal {
  const stop = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => stop.abort(signal));
  if (env.npm_lifecycle_event !== undefined) {
    const parent = process.ppid;
    setInterval(
      () => process.ppid === parent || stop.abort("parent ended"),
      PARENT_CHECK_MS,
    ).unref();
  }
  return stop.signal;
}
