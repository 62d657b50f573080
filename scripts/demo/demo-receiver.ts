import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";
import { type ReceivedMail, startMailServer } from "../../test/harness/mail-server.ts";
import { portOf } from "../../test/harness/ports.ts";
import { letterPage, listPage, messagePage } from "./receiver-pages.ts";

interface Arrival {
  readonly number: number;
  readonly at: Date;
}

export interface ArrivedMail extends Arrival {
  readonly kind: "mail";
  readonly mail: ReceivedMail;
}

export interface ArrivedCall extends Arrival {
  readonly kind: "webhook";
  readonly id: string;
  readonly body: string;
  /** Whether the signature is that of the secret, and of now. */
  readonly isVerified: boolean;
}

export type Arrived = ArrivedMail | ArrivedCall;

export interface DemoReceiver extends AsyncDisposable {
  readonly url: string;
  readonly mailPort: number;
}

const MAX_KEPT = 500;
/** Nothing that a letter or a call brings may run, or load anything. */
const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; frame-ancestors 'self'",
} as const;

/**
 * What the channels of the demo reach: a mail server and a receiver of webhooks on loopback, with
 * pages that show what arrived.
 */
export async function startDemoReceiver(webhookSecret: string): Promise<DemoReceiver> {
  const arrived: Arrived[] = [];
  let number = 0;

  function arrival(): Arrival {
    number += 1;
    return { number, at: new Date() };
  }

  function keep(message: Arrived): void {
    arrived.unshift(message);
    arrived.splice(MAX_KEPT);
  }

  async function onRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === "POST") {
      keep({ ...arrival(), ...(await readCall(request, webhookSecret)) });
      response.writeHead(204).end();
      return;
    }

    const page = pageOf(request.url ?? "/", arrived);
    response.writeHead(page === null ? 404 : 200, HEADERS).end(page ?? "没有此页面");
  }

  const mailServer = await startMailServer({
    onMail: (mail) => keep({ ...arrival(), kind: "mail", mail }),
  });
  const server = createServer((request, response) => {
    onRequest(request, response).catch(() => response.destroy());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");

  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    mailPort: mailServer.port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await server[Symbol.asyncDispose]();
      await mailServer[Symbol.asyncDispose]();
    },
  };
}

async function readCall(request: IncomingMessage, secret: string) {
  const body = await text(request);
  const names = ["webhook-id", "webhook-timestamp", "webhook-signature"];
  const headers = Object.fromEntries(names.map((name) => [name, String(request.headers[name])]));
  const id = headers["webhook-id"] ?? "";
  return { kind: "webhook", id, body, isVerified: isSigned(body, headers, secret) } as const;
}

function isSigned(body: string, headers: Record<string, string>, secret: string): boolean {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

/** `/`, `/messages/3`, and `/messages/3/letter` for the frame of that page. */
function pageOf(path: string, arrived: readonly Arrived[]): string | null {
  if (path === "/") return listPage(arrived);

  const [, number, part] = /^\/messages\/(\d+)(\/letter)?$/.exec(path) ?? [];
  const message = arrived.find((each) => String(each.number) === number);
  if (message === undefined) return null;
  if (part === undefined) return messagePage(message);
  return message.kind === "mail" ? letterPage(message) : null;
}
