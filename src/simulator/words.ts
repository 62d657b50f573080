import type { NonEmpty } from "./random.ts";

/** A business system with the kinds of host it runs; names come out as `订单服务-db-02`. */
export interface System {
  name: string;
  tag: string;
  roles: NonEmpty<string>;
  gpu: boolean;
}

export const SYSTEMS: NonEmpty<System> = [
  { name: "官网", tag: "官网", roles: ["前端", "后端", "cdn回源", "cms"], gpu: false },
  { name: "订单服务", tag: "电商", roles: ["api", "db", "job", "mq"], gpu: false },
  { name: "支付网关", tag: "电商", roles: ["api", "对账", "db"], gpu: false },
  { name: "用户中心", tag: "电商", roles: ["api", "db", "缓存"], gpu: false },
  { name: "商品中心", tag: "电商", roles: ["api", "搜索", "db"], gpu: false },
  { name: "库存系统", tag: "电商", roles: ["api", "db"], gpu: false },
  { name: "物流跟踪", tag: "电商", roles: ["api", "采集", "db"], gpu: false },
  { name: "会员系统", tag: "Default", roles: ["api", "db", "积分"], gpu: false },
  { name: "客服系统", tag: "Default", roles: ["坐席", "im", "录音"], gpu: false },
  { name: "财务结算", tag: "财务", roles: ["app", "报表", "db"], gpu: false },
  { name: "数据平台", tag: "大数据", roles: ["kafka", "flink", "clickhouse", "调度", "hdfs"], gpu: false },
  { name: "日志平台", tag: "大数据", roles: ["es", "采集", "kibana"], gpu: false },
  { name: "监控告警", tag: "基础架构", roles: ["prometheus", "grafana", "告警网关"], gpu: false },
  { name: "消息推送", tag: "Default", roles: ["网关", "worker"], gpu: false },
  { name: "视频转码", tag: "ai", roles: ["worker", "调度"], gpu: true },
  { name: "推荐引擎", tag: "ai", roles: ["训练", "在线", "特征"], gpu: true },
  { name: "风控引擎", tag: "Default", roles: ["规则", "模型", "db"], gpu: false },
  { name: "k8s", tag: "基础架构", roles: ["master", "node", "ingress"], gpu: false },
  { name: "测试环境", tag: "测试", roles: ["web", "api", "db", "压测"], gpu: false },
  { name: "运维", tag: "基础架构", roles: ["堡垒机", "跳板机", "镜像仓库", "jenkins"], gpu: false },
];

export const REMARKS: NonEmpty<string> = [
  "",
  "",
  "",
  "负责人：张伟",
  "负责人：李娜，变更前请先联系",
  "双十一扩容，活动后回收",
  "已接入监控与每日快照",
  "迁移自旧机房，观察一个月",
  "仅内网访问",
  "门户前端",
  "主库，禁止随意重启",
  "从库",
  "灰度环境",
  "客户A专用",
  "等保三级，登录需审批",
  "到期后不再续费",
];

/** `[weight, {name, type}]`, spelt as the provider's image list spells them. */
export const SYSTEM_IMAGES: NonEmpty<readonly [number, { os: string; type: "Linux" | "Windows" }]> = [
  [24, { os: "CentOS 7.9 64位", type: "Linux" }],
  [22, { os: "Ubuntu 22.04 64位", type: "Linux" }],
  [12, { os: "Ubuntu 20.04 64位", type: "Linux" }],
  [8, { os: "Ubuntu 24.04 64位", type: "Linux" }],
  [8, { os: "Debian 12.5 64位", type: "Linux" }],
  [6, { os: "Rocky Linux 9.3 64位", type: "Linux" }],
  [4, { os: "openEuler 22.03 64位", type: "Linux" }],
  [3, { os: "AlmaLinux 9.2 64位", type: "Linux" }],
  [6, { os: "Windows 2019 64位 中文版", type: "Windows" }],
  [4, { os: "Windows 2022 64位 中文版", type: "Windows" }],
  [1, { os: "Windows 2016 64位 英文版", type: "Windows" }],
];

/** Mostly healthy, with every documented word, the empty one and one that the reference does not list. */
export const STATES: NonEmpty<readonly [number, string]> = [
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

export const CHARGE_TYPES: NonEmpty<readonly [number, string]> = [
  [52, "Month"],
  [24, "Year"],
  [12, "Dynamic"],
  [7, "Postpay"],
  [3, "Preemptive"],
  [2, "Trial"],
];

/** `[weight, [CPU, memory in GB]]` */
export const SIZES: NonEmpty<readonly [number, readonly [cpu: number, memoryGb: number]]> = [
  [10, [1, 1]],
  [12, [1, 2]],
  [20, [2, 4]],
  [10, [2, 8]],
  [20, [4, 8]],
  [12, [4, 16]],
  [10, [8, 16]],
  [8, [8, 32]],
  [4, [16, 32]],
  [3, [16, 64]],
  [1, [32, 128]],
];

export const GPU_TYPES: NonEmpty<string> = ["T4", "V100", "V100S", "2080Ti", "3090", "4090", "A100"];
