import { correction, generate } from 'lean-qr/nano';
import { code128 } from './code-128.ts';

const rectangle = (x: number, y: number, width: number, height: number): string =>
  `M${x} ${y}h${width}v${height}h${-width}z`;

/** The light space that a scanner needs beside a barcode, in widths of the thinnest bar. */
const quiet = 10;
const barHeight = 40;

const Barcode = ({ text }: { text: string }) => {
  let x = quiet;
  const bars = Array.from(code128(text), (digit, index) => {
    const width = Number(digit);
    x += width;
    return index % 2 === 0 ? rectangle(x - width, 0, width, barHeight) : '';
  });
  return (
    <svg class="slip-barcode" viewBox={`0 0 ${x + quiet} ${barHeight}`} shape-rendering="crispEdges">
      <path d={bars.join('')} />
    </svg>
  );
};

const QrCode = ({ text }: { text: string }) => {
  const code = generate(text, { minCorrectionLevel: correction.Q });
  const places = Array.from({ length: code.size }, (_, place) => place);
  const squares = places.flatMap((y) => places.map((x) => (code.get(x, y) ? rectangle(x, y, 1, 1) : '')));
  return (
    <svg class="slip-qr" viewBox={`-4 -4 ${code.size + 8} ${code.size + 8}`} shape-rendering="crispEdges">
      <path d={squares.join('')} />
    </svg>
  );
};

/** A text as a barcode and as a QR code. */
export const SlipCodes = ({ text }: { text: string }) => (
  <div class="row">
    <Barcode text={text} />
    <QrCode text={text} />
  </div>
);
