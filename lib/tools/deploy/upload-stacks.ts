import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { PutObjectCommand, S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';

type Provider = {
  readonly getServerlessDeploymentBucketName: () => Promise<string>;
  readonly getAwsSdkV3Config: () => Promise<S3ClientConfig>;
};

type Serverless = {
  readonly getProvider: (name: 'aws') => Provider;
  readonly service: { readonly package: { readonly artifactDirectoryName: string } };
};

/** A template has at most 1 MB. */
const timeoutMs = 60_000;

const upload = async (serverless: Serverless, packageFolder: string): Promise<void> => {
  const provider = serverless.getProvider('aws');
  const Bucket = await provider.getServerlessDeploymentBucketName();
  const s3 = new S3Client(await provider.getAwsSdkV3Config());
  const send = async (file: string): Promise<unknown> => {
    const Key = `${serverless.service.package.artifactDirectoryName}/${basename(file)}`;
    const object = { Bucket, Key, Body: await readFile(file, 'utf8'), ContentType: 'application/json' };
    return s3.send(new PutObjectCommand(object), { abortSignal: AbortSignal.timeout(timeoutMs) });
  };
  try {
    await Promise.all(globSync(join(packageFolder, 'stacks/*.json')).map(send));
  } finally {
    s3.destroy();
  }
};

/**
 * The plugin of osls that uploads the templates of the nested stacks next to the code. osls does not know them. The SDK
 * retries a failed upload twice.
 */
export default class UploadStacks {
  readonly hooks: Readonly<Record<string, () => Promise<void>>>;

  constructor(serverless: Serverless, options: { readonly package?: string }) {
    this.hooks = {
      'after:aws:deploy:deploy:uploadArtifacts': async () => upload(serverless, options.package ?? '.serverless'),
    };
  }
}
