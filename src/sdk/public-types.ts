import type { SignIn } from "../shared/auth.ts";
import type { ErrorCode, FieldError } from "../shared/errors.ts";
import type { ConsoleApi } from "./console-api.ts";

// The package's .d.ts holds this file as it stands, with the imports above replaced by the types themselves.

export interface ConsoleClientOptions {
  /** Where the server answers, such as `https://console.example.com`. */
  readonly url: string;
  /** Of an earlier sign-in; leave it out and call `login`. */
  readonly token?: string | null | undefined;
  /** For subscriptions where there is no global `WebSocket`, as in Node 20: the class of the package `ws`. */
  readonly WebSocket?: WebSocketClass | undefined;
}

export interface ConsoleClient {
  /** `await client.api.hosts.list.query({ status: "Running" })` */
  readonly api: ConsoleApi;
  /**
   * Signs in; from then on all calls and subscriptions use the new token, as they do after `api.auth.refresh`. Fails with
   * LOGIN_FAILED, or TOO_MANY_REQUESTS after ten wrong passwords in five minutes.
   */
  login(username: string, password: string): Promise<SignIn>;
  /** Ends the subscriptions and closes the socket. Other calls still work, and a new subscription opens a new one. */
  close(): Promise<void>;
}

/** Fails with a `ConsoleError`. */
export interface Query<Input, Output> {
  query(input: Input, options?: CallOptions): Promise<Output>;
}

/** Fails with a `ConsoleError`. */
export interface Mutation<Input, Output> {
  mutate(input: Input, options?: CallOptions): Promise<Output>;
}

/** Comes over a socket, which reconnects by itself and goes on after the last event that was received. */
export interface Subscription<Input, Received> {
  subscribe(input: Input, listener: SubscriptionListener<Received>): { unsubscribe(): void };
}

export interface CallOptions {
  readonly signal?: Signal;
}

export interface SubscriptionListener<Received> {
  readonly signal?: Signal;
  readonly onStarted?: () => void;
  readonly onData?: (received: Received) => void;
  /** The subscription is over, with code UNAUTHENTICATED when the session is. A lost connection is no error. */
  readonly onError?: (error: ConsoleError) => void;
  /** The socket is being opened again (`connecting`, with what broke it), or is open (`pending`). */
  readonly onConnectionStateChange?: (state: { readonly state: string; readonly error: Error | null }) => void;
  /** The subscription is over by `close()`. */
  readonly onComplete?: () => void;
}

/** What calls fail with. `message` is the server's Chinese sentence, or says why there was no answer. */
export interface ConsoleError extends Error {
  /** Missing when the server did not answer, or something else did. */
  readonly data?: ErrorDetails | null | undefined;
}

export interface ErrorDetails {
  readonly code: ErrorCode;
  readonly httpStatus: number;
  /** Names the call in the server's log. */
  readonly requestId: string;
  /** With INVALID_INPUT: which fields. */
  readonly errors?: readonly FieldError[] | undefined;
}

/** The part of the standard's `WebSocket` that is needed. */
export interface WebSocketClass {
  new (url: string): { readonly readyState: number; send(data: string): void; close(code?: number): void };
  readonly OPEN: number;
}

/** AbortSignal, where there is one. */
export type Signal = typeof globalThis extends { AbortSignal: { prototype: infer Found } } ? Found : never;
