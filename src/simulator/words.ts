import type { NonEmpty, Weighted } from "./random.ts";

export const PROJECT_NAMES: readonly string[] = [
  "默认项目",
  "电商业务",
  "数据平台",
  "测试与预发",
  "海外业务",
  "内部系统",
];

/** Business systems with the roles of their hosts; a host's name is `订单服务-db-02`. */
export const SYSTEMS: NonEmpty<readonly [name: string, roles: NonEmpty<string>]> = [
  ["官网", ["前端", "后端", "cdn回源", "cms"]],
  ["订单服务", ["api", "db", "job", "mq"]],
  ["支付网关", ["api", "对账", "db"]],
  ["用户中心", ["api", "db", "缓存"]],
  ["商品中心", ["api", "搜索", "db"]],
  ["库存系统", ["api", "db"]],
  ["物流跟踪", ["api", "采集", "db"]],
  ["会员系统", ["api", "db", "积分"]],
  ["客服系统", ["坐席", "im", "录音"]],
  ["财务结算", ["app", "报表", "db"]],
  ["数据平台", ["kafka", "flink", "clickhouse", "调度", "hdfs"]],
  ["日志平台", ["es", "采集", "kibana"]],
  ["监控告警", ["prometheus", "grafana", "告警网关"]],
  ["消息推送", ["网关", "worker"]],
  ["视频转码", ["worker", "调度"]],
  ["推荐引擎", ["训练", "在线", "特征"]],
  ["风控引擎", ["规则", "模型", "db"]],
  ["k8s", ["master", "node", "ingress"]],
  ["测试环境", ["web", "api", "db", "压测"]],
  ["运维", ["堡垒机", "跳板机", "镜像仓库", "jenkins"]],
];

/** Spelled as in the provider's list of images. */
export const IMAGES: Weighted<string> = [
  [24, "CentOS 7.9 64位"],
  [22, "Ubuntu 22.04 64位"],
  [12, "Ubuntu 20.04 64位"],
  [8, "Ubuntu 24.04 64位"],
  [8, "Debian 12.5 64位"],
  [6, "Rocky Linux 9.3 64位"],
  [4, "openEuler 22.03 64位"],
  [3, "AlmaLinux 9.2 64位"],
  [6, "Windows 2019 64位 中文版"],
  [4, "Windows 2022 64位 中文版"],
  [1, "Windows 2016 64位 英文版"],
];

/** Every documented state, the empty one, and one that the reference does not list. */
export const STATES: Weighted<string> = [
  [780, "Running"],
  [130, "Stopped"],
  [14, "Starting"],
  [14, "Stopping"],
  [14, "Rebooting"],
  [10, "Initializing"],
  [10, "Install Fail"],
  [10, ""],
  [4, "Resizing"],
];

export const CHARGE_TYPES: Weighted<string> = [
  [52, "Month"],
  [24, "Year"],
  [12, "Dynamic"],
  [7, "Postpay"],
  [3, "Preemptive"],
  [2, "Trial"],
];

/** Spelled as in answers of several years; the field may be absent. */
export const AUTO_RENEW: Weighted<string | null> = [
  [50, "Yes"],
  [36, "No"],
  [3, "yes"],
  [3, "no"],
  [2, "YES"],
  [2, "NO"],
  [4, null],
];

export const SIZES: Weighted<readonly [cpu: number, memoryGb: number]> = [
  [10, [1, 1]],
  [12, [1, 2]],
  [20, [2, 4]],
  [10, [2, 8]],
  [20, [4, 8]],
  [12, [4, 16]],
  [10, [8, 16]],
  [11, [8, 32]],
  [4, [16, 32]],
  [5, [16, 64]],
  [2, [32, 128]],
];
