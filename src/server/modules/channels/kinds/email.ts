import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import { createTransport, type SendMailOptions } from "nodemailer";
import type { z } from "zod";
import type { EmailConfig } from "../../../../shared/notice-channels.ts";
import { bracketed } from "../../../platform/egress/allow-list.ts";
import type { CheckedAddresses } from "../../../platform/egress/guard.ts";
import type { SendDeps } from "../deps.ts";
import { composeLetter } from "../letter/compose-letter.ts";
import { accountUrl } from "../letter/letter.ts";
import type { Message, Recipient, SendOutcome } from "../message.ts";
import { PAUSE_WITHOUT_ANSWER } from "./pauses.ts";
import { shownAnswer } from "./shown-text.ts";
import { isConnectFailure, judgeFailure } from "./smtp-failure.ts";

type Config = z.infer<typeof EmailConfig>;

const CONNECT_TIMEOUT_MS = 5_000;
/** Connecting, sending and the answer. */
const TIMEOUT_MS = 15_000;
const MAX_ANSWER_BYTES = 64 * 1024;

const NEEDS_ENCRYPTION =
  "未加密的连接会泄露用户名与密码，已拒绝发送，请把加密方式改为 TLS 或 STARTTLS";

/**
 * One letter to one person, over a connection to an address that the outbound guard checked.
 * Rejects with the reason of `deps.signal` when that ends it.
 */
export async function sendEmail(
  deps: SendDeps,
  config: Config,
  message: Message,
  recipient: Recipient,
): Promise<SendOutcome> {
  if (exposesPassword(deps, config)) {
    return { kind: "retry", error: NEEDS_ENCRYPTION, pauseSeconds: PAUSE_WITHOUT_ANSWER };
  }

  const secrets = secretsOfMail(config, recipient);
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const signal = AbortSignal.any([deps.signal, timeout]);
  try {
    const addresses = await deps.outbound.resolveChecked(config.host, config.port);
    const mail = writeMail(config, message, recipient);
    const date = new Date(deps.clock.now() * 1000);
    const { response } = await overEitherFamily(addresses, async (address) => {
      const transport = createTransport(transportOptions(config, address));
      return await transport.sendMail({ ...mail, date, signal });
    });
    return { kind: "sent", answer: `邮件服务器已接受（${shownAnswer(response, secrets)}）` };
  } catch (error) {
    // What the caller ended fails with the caller's reason.
    deps.signal.throwIfAborted();
    return judgeFailure(error, { isTimeout: timeout.aborted, secrets });
  }
}

/** Inside a network that the operator named, a relay without encryption is the operator's choice. */
function exposesPassword({ outbound }: SendDeps, { security, user, host, port }: Config): boolean {
  const isPlain = security === "none" && hasText(user);
  return isPlain && !outbound.isAllowed(`http://${bracketed(host)}:${port}`);
}

/**
 * A server may have addresses of both families and be reachable over one alone. So where the first
 * address cannot be connected to, the first one of the other family is tried, too. Once there is a
 * connection the letter may be on its way, and is not sent again.
 */
async function overEitherFamily<Result>(
  addresses: CheckedAddresses,
  sendTo: (address: string) => Promise<Result>,
): Promise<Result> {
  const [first] = addresses;
  const other = addresses.find(({ family }) => family !== first.family);
  try {
    return await sendTo(first.address);
  } catch (error) {
    if (other === undefined || !isConnectFailure(error)) throw error;
    return await sendTo(other.address);
  }
}

function transportOptions(config: Config, address: string) {
  const { host, port, security, user, password } = config;
  const credentials = hasText(user) ? { auth: { user, pass: password ?? "" } } : {};

  return {
    host: address,
    port,
    secure: security === "tls",
    requireTLS: security === "starttls",
    ignoreTLS: security === "none",
    // The certificate is that of the name. Explicit, because NODE_TLS_REJECT_UNAUTHORIZED would
    // otherwise switch verification off.
    tls: { rejectUnauthorized: true, ...(isIP(host) === 0 && { servername: host }) },
    ...credentials,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    maxResponseSize: MAX_ANSWER_BYTES,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function writeMail(config: Config, message: Message, recipient: Recipient): SendMailOptions {
  const sender = parseSender(config.sender);
  const domain = sender.address.slice(sender.address.lastIndexOf("@") + 1);
  const unsubscribe = accountUrl(message) ?? `mailto:${sender.address}?subject=unsubscribe`;

  return {
    from: sender,
    to: { name: recipient.name, address: recipient.address },
    // The same for every try, so that a program can drop a repetition.
    messageId: `<${message.id}@${domainToASCII(domain)}>`,
    headers: { "Auto-Submitted": "auto-generated", "List-Unsubscribe": `<${unsubscribe}>` },
    ...composeLetter(message, recipient),
  };
}

/** `名称 <notice@example.com>` or the address alone. A name may hold commas. */
function parseSender(sender: string): { readonly name: string; readonly address: string } {
  const [, name, address] = /^(.*)<(.*)>$/.exec(sender) ?? ["", "", sender];
  return { name: (name ?? "").trim(), address: address ?? sender };
}

/**
 * What an answer of the server must not be shown with: besides password and recipient whatever tells
 * where the letter went and as whom.
 */
function secretsOfMail(config: Config, recipient: Recipient): string[] {
  const { user, password, host } = config;
  const sender = parseSender(config.sender).address;

  const secrets = [host, sender, recipient.address];
  if (hasText(user)) secrets.push(user, toBase64(user));
  if (hasText(password)) secrets.push(password, toBase64(password));
  if (hasText(user) && hasText(password)) secrets.push(toBase64(`\0${user}\0${password}`));
  return secrets;
}

function toBase64(text: string): string {
  return Buffer.from(text).toString("base64");
}

function hasText(text: string | null | undefined): text is string {
  return text !== null && text !== undefined && text !== "";
}
