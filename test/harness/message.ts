import type { Message, MessageHost } from "../../src/server/modules/channels/message.ts";

/** 2027-01-15 08:00 UTC, which is 16:00 in Shanghai. */
export const MESSAGE_TIME = 1_800_000_000;

export function buildMessage(changes: Partial<Message> = {}): Message {
  return {
    id: "019a9f3e-5c0a-7b1e-9d3f-2f6f0c6b8a11",
    type: "assignment.expiring",
    severity: "warning",
    title: "2 台主机即将到期",
    message: "请在到期前申请续费。",
    createdAt: MESSAGE_TIME,
    hosts: [buildMessageHost(), buildMessageHost({ name: "数据库-主节点", daysLeft: 7 })],
    moreHosts: 0,
    url: "https://console.example.com/hosts?assignedExpiring=7",
    ...changes,
  };
}

export function buildMessageHost(changes: Partial<MessageHost> = {}): MessageHost {
  return {
    hostId: "019a9f3e-5c0a-7b1e-9d3f-2f6f0c6b8a12",
    name: "web-01",
    expireTime: MESSAGE_TIME + 3 * 86_400,
    daysLeft: 3,
    userNames: [],
    ...changes,
  };
}
