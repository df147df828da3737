/** The URL of a deployment. Base URLs of JSON-RPC clients go on to the path of their methods, which is removed. */
export const deploymentOf = (baseUrl: string): string => baseUrl.replace(/(\/api\/v2)?(\/jsonRPC)?\/*$/i, "");
