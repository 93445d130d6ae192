// The session is one of the SDK's, also by its types.

import type { AgentInputItem, Session } from '@openai/agents-core';
import { MilepostSession } from 'milepost/session-store';

export const session: Session = new MilepostSession<AgentInputItem>({ sessionId: 'support-42', storagePath: 'state' });
