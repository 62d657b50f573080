import type { TRPCLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
import type { AppRouter } from "../server/app-router.ts";

export interface Token {
  current(): string | null;
  /** Resolves when no call is under way that changes it. */
  settled(): Promise<void>;
  onChange(listener: () => void): void;
  /** Takes the token over from whatever call gives or ends one. */
  readonly link: TRPCLink<AppRouter>;
}

const CHANGING = new Set(["auth.login", "auth.refresh", "auth.logout"]);

/** The bearer token that all calls share. */
export function createToken(first: string | null): Token {
  let token = first;
  const listeners: (() => void)[] = [];
  const underWay = new Set<Promise<void>>();

  function take(path: string, answer: unknown): void {
    const next = path === "auth.logout" ? null : tokenIn(answer);
    if (next === token) return;
    token = next;
    for (const listener of listeners) listener();
  }

  return {
    current: () => token,
    async settled() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
    onChange: (listener) => void listeners.push(listener),
    link:
      () =>
      ({ op, next }) => {
        if (!CHANGING.has(op.path)) return next(op);
        return observable((observer) => {
          const { promise, resolve } = completion();
          underWay.add(promise);
          const call = next(op).subscribe({
            next(answer) {
              if ("data" in answer.result) take(op.path, answer.result.data);
              observer.next(answer);
            },
            complete: () => observer.complete(),
            error: (error) => observer.error(error),
          });
          return () => {
            call.unsubscribe();
            underWay.delete(promise);
            resolve();
          };
        });
      },
  };
}

function tokenIn(answer: unknown): string | null {
  if (typeof answer !== "object" || answer === null || !("token" in answer)) return null;
  return typeof answer.token === "string" ? answer.token : null;
}

/** Promise.withResolvers, which Node 20 does not have. */
function completion(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
