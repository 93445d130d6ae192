// A saver that loses what tasks wrote. The suite has to fail for it: who runs this expects that.

import { validate } from '@langchain/langgraph-checkpoint-validation';
import { MilepostSaver } from 'milepost/langgraph';

class Forgetful extends MilepostSaver {
  async putWrites() {}
}

validate({
  checkpointerName: 'a saver that loses writes',
  createCheckpointer: () => new Forgetful(),
});
