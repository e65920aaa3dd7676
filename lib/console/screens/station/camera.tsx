import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from './texts.ts';

/** The interface of the browser for codes in pictures (WICG Shape Detection), which TypeScript does not know. */
type Detector = { detect(source: HTMLVideoElement): Promise<readonly { readonly rawValue: string }[]> };
type DetectorClass = new () => Detector;

const detectorClass = (): DetectorClass | undefined =>
  (window as { readonly BarcodeDetector?: DetectorClass }).BarcodeDetector;

/** Whether the browser reads codes from the camera. */
export const hasCamera = (): boolean => detectorClass() !== undefined && navigator.mediaDevices !== undefined;

const pauseMs = 200;
/** A code counts again after it was out of the picture for so long: a picture may miss a code that is still there. */
const goneMs = 1_500;

/** Reads codes from a picture until it is aborted. A code counts again only after it left the picture. */
const watch = async (
  video: HTMLVideoElement,
  Class: DetectorClass,
  onCode: (code: string) => void,
  signal: AbortSignal,
): Promise<void> => {
  const detector = new Class();
  const lastSeen = new Map<string, number>();
  while (!signal.aborted) {
    // A picture that is not ready fails: the next one may succeed.
    const found = await detector.detect(video).catch(() => []);
    if (signal.aborted) return;
    for (const { rawValue } of found) {
      const now = Date.now();
      const isNew = now - (lastSeen.get(rawValue) ?? 0) >= goneMs;
      lastSeen.set(rawValue, now);
      if (isNew) onCode(rawValue);
    }
    await new Promise((resolve) => {
      setTimeout(resolve, pauseMs);
    });
  }
};

/** The picture of the camera. The camera runs as long as the picture is shown. */
export const Camera = ({ onCode }: { onCode: (code: string) => void }) => {
  const video = useRef<HTMLVideoElement>(null);
  const handler = useRef(onCode);
  handler.current = onCode;
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    const abort = new AbortController();
    const Class = detectorClass();
    let stream: MediaStream | undefined;
    const stop = () => stream?.getTracks().forEach((track) => track.stop());
    const run = async () => {
      try {
        stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
        const element = video.current;
        if (abort.signal.aborted || element === null || Class === undefined) {
          stop();
          return;
        }
        element.srcObject = stream;
        await element.play();
        await watch(element, Class, (code) => handler.current(code), abort.signal);
      } catch (error) {
        stop();
        if (abort.signal.aborted) return;
        console.error(error);
        setBroken(true);
      }
    };
    void run();
    return () => {
      abort.abort();
      stop();
    };
  }, []);
  if (isBroken)
    return (
      <p class="notice notice-bad" role="alert">
        {t().cameraFailed}
      </p>
    );
  return <video ref={video} class="station-camera" aria-label={t().cameraView} muted playsInline />;
};
