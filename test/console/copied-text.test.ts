import { expect, it } from "vitest";
import { usesOf, usesText } from "@/features/hosts/copied-text";

const START = Date.parse("2026-11-01T00:00:00+08:00") / 1000;
const END = Date.parse("2027-02-01T00:00:00+08:00") / 1000;

/** A host that these users have. */
function buildHost(name: string, users: readonly string[]) {
  return {
    id: name,
    name,
    ucloudId: `uhost-${name}`,
    cpu: 4,
    memory: 8192,
    users: users.map((user) => ({
      id: user,
      name: user,
      username: user,
      assignedAt: START,
      assignedExpireTime: END,
    })),
  };
}

it("of a shared host only the use of the listed user is copied", () => {
  const hosts = [buildHost("web-1", ["王客户", "张客户"])];

  const text = usesText(usesOf(hosts, "张客户"));

  expect(text).toBe("主机\t规格\t开始\t到期\nweb-1\t4 核 8 GB\t2026-11-01\t2027-02-01");
});

it("what several users have is copied one user after the other, with their names", () => {
  const hosts = [buildHost("web-1", ["张客户", "王客户"]), buildHost("web-2", ["张客户"])];

  const lines = usesText(usesOf(hosts, undefined)).split("\n");

  expect(lines.map((line) => line.split("\t").slice(0, 2).join(" "))).toEqual([
    "用户 主机",
    "王客户 web-1",
    "张客户 web-1",
    "张客户 web-2",
  ]);
});
