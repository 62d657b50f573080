import type { ProviderFailureKind } from "./failure.ts";

interface RetCodeMeaning {
  readonly kind: ProviderFailureKind;
  readonly sentence: string;
}

/** What the provider's numbers mean to the operator. Sources: docs.ucloud.cn/api (summary/public, uhost-api/error_code) and recorded answers. */
export const RET_CODES: ReadonlyMap<number, RetCodeMeaning> = new Map([
  [110, meaning("timeout", "云服务商处理请求超时，请稍后重试")],
  [130, meaning("unavailable", "云服务商的网关或认证服务故障，请稍后重试")],
  [150, meaning("unavailable", "云服务商的服务暂时不可用，请稍后重试")],
  [153, meaning("throttled", "请求过于频繁，被云服务商限流，请稍后重试")],
  [160, meaning("unexpected", "云服务商未收到操作名，请检查API地址是否正确")],
  [161, meaning("unexpected", "该API地址不支持此操作，请检查API地址是否正确")],
  [170, meaning("unauthorized", "云服务商未收到签名，请检查API地址是否正确")],
  [171, meaning("unauthorized", "签名校验失败，请检查私钥是否正确、前后有无空格，并确认密钥属于该API地址所在的站点")],
  [172, meaning("unauthorized", "公钥对应的用户不存在，请检查公钥是否正确")],
  [174, meaning("unauthorized", "访问令牌不存在，请确认密钥属于该API地址所在的站点或渠道")],
  [210, meaning("unexpected", "云服务商认为请求缺少参数，请检查项目ID和默认地域是否已填写")],
  [220, meaning("unexpected", "云服务商认为请求缺少参数，请检查项目ID和默认地域是否已填写")],
  [230, meaning("not-opened", "地域不可用或未开通，请检查地域，或在云平台开通后重试")],
  [240, meaning("unexpected", "云服务商认为参数超出范围，请检查配置后重试")],
  [292, meaning("project-missing", "项目不存在，请重新选择该密钥可用的项目")],
  [293, meaning("not-opened", "该地域或可用区未开通，请在云平台开通后重试")],
  [294, meaning("ip-refused", "云服务商拒绝了本服务器的IP，请在云平台的API白名单中加入本服务器的公网IP")],
  [295, meaning("security-lock", "安全锁校验失败，请在云平台关闭安全锁，或到云平台控制台操作")],
  [299, meaning("forbidden", "该密钥没有访问权限，请在云平台的访问控制中为其授权")],
  [1000, meaning("unavailable", "云服务商内部错误，请稍后重试")],
  [8010, meaning("unexpected", "云主机须先关机，请关机后重试")],
  [8034, meaning("unexpected", "云主机正在重置密码，请稍后重试")],
  [8035, meaning("unexpected", "云主机正在迁移，请稍后重试")],
  [8039, meaning("unexpected", "云主机已被删除，请重新同步")],
  [8095, meaning("unexpected", "云平台配额不足，请在云平台申请提高配额")],
  [8104, meaning("unexpected", "账户有未支付的订单，请先到云平台支付")],
  [8117, meaning("unexpected", "云主机已到期，请先到云平台续费")],
  [8226, meaning("forbidden", "账户未实名认证，请先到云平台完成认证")],
  [8300, meaning("forbidden", "该密钥没有此资源的权限，请在云平台的访问控制中为其授权")],
  [8843, meaning("unexpected", "云主机断电失败，请稍后重试")],
  [8844, meaning("unexpected", "云主机启动失败，请稍后重试")],
  [8845, meaning("unexpected", "云主机启动失败，请稍后重试")],
  [8856, meaning("unexpected", "删除云主机前须先关机，请关机后重试")],
  [8857, meaning("timeout", "云服务商查询云主机超时，请稍后重试")],
  [8858, meaning("unavailable", "云服务商查询云主机失败，请稍后重试")],
  [8880, meaning("unavailable", "云服务商查询IP信息失败，请稍后重试")],
  [8881, meaning("unavailable", "云服务商查询IP信息失败，请稍后重试")],
  [8884, meaning("unavailable", "云服务商查询IP信息失败，请稍后重试")],
  [8893, meaning("unexpected", "云主机重启失败，请稍后重试")],
  [8894, meaning("unexpected", "云主机重启失败，请稍后重试")],
  [8905, meaning("unexpected", "云主机的电源状态不允许此操作，请刷新状态后重试")],
]);

function meaning(kind: ProviderFailureKind, sentence: string): RetCodeMeaning {
  return { kind, sentence };
}
