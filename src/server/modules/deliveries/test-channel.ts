import { v7 as newId } from "uuid";
import type { IdInput } from "../../../shared/ids.ts";
import type { ChannelTest } from "../../../shared/notice-channels.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { noteSubject } from "../audit-records/note-subject.ts";
import type { Message, Recipient, SendOutcome } from "../channels/message.ts";
import { findChannel } from "../channels/queries.ts";
import { openSetup } from "../channels/sealed-config.ts";
import { sendMessage } from "../channels/send-message.ts";
import { currentUser } from "../users/queries.ts";
import type { TestDeps } from "./deps.ts";

const NO_OWN_ADDRESS: ChannelTest = {
  ok: false,
  message: "测试邮件发送到您自己的邮箱，请先在用户管理中填写",
  latencyMs: 0,
};

/**
 * Sends one message at once, also through a channel that is switched off. A failure of the other
 * side is part of the answer, never an error.
 */
export async function testChannel(
  deps: TestDeps,
  caller: Caller,
  { id }: IdInput,
): Promise<ChannelTest> {
  const channel = await findChannel(deps.em, id);
  noteSubject(deps, { type: "channel", id, label: channel.name });
  const setup = openSetup(deps, channel);
  const recipient = await findRecipient(deps, caller);
  if (setup.type === "email" && recipient === null) return NO_OWN_ADDRESS;

  const startedAt = performance.now();
  const sendDeps = { ...deps, signal: deps.stopping };
  const outcome = await sendMessage(sendDeps, setup, testMessage(deps), recipient);
  const latencyMs = Math.round(performance.now() - startedAt);
  return { ok: outcome.kind === "sent", message: messageOf(outcome), latencyMs };
}

async function findRecipient(deps: TestDeps, caller: Caller): Promise<Recipient | null> {
  const { name, email } = await currentUser(deps, caller);
  return email ? { name, address: email } : null;
}

function testMessage({ clock, consoleOrigin }: TestDeps): Message {
  return {
    id: newId(),
    type: "test",
    severity: "info",
    title: "测试消息",
    message: "这是一条测试消息。收到它说明通知渠道可以使用。",
    createdAt: clock.now(),
    hosts: [],
    moreHosts: 0,
    url: consoleOrigin,
  };
}

function messageOf(outcome: SendOutcome): string {
  return outcome.kind === "sent" ? outcome.answer : outcome.error;
}
